package import CredentialReports
package import Credentials
package import Evidence
package import HTTPSFetch
import Processes
package import SMARTHealthCards
package import Verification

/// Verifies the lines of one block after the other, on one thread: the card of each, or the cards of the file whose path it is
/// (`batch --pictures`).
final class BatchVerifier: LineWorker {
    typealias Tally = BatchTally

    /// A line whose verdicts cannot be written yet: one of its cards waits for evidence, or the line comes after one with such a card.
    struct Pending: PendingLine {
        enum Card: Sendable {
            case waiting(CredentialVerifier.Examined)
            case judged(ReasonCode?, PassNotes, output: [UInt8])

            /// The card, if it has no verdict.
            var waiting: CredentialVerifier.Examined? {
                if case .waiting(let card) = self { card } else { nil }
            }

            /// The memory that it takes in bytes, estimated. A card takes several times the size of its payload.
            var weight: Int {
                switch self {
                case .waiting(let card): 4 * card.payloadSize
                case .judged(_, _, let output): output.count
                }
            }

            /// A card with its verdict, of which only what is counted is kept.
            static func judged(_ verdict: Verdict, output: [UInt8]) -> Card {
                .judged(verdict.reason?.code, PassNotes(on: verdict), output: output)
            }
        }

        let number: Int
        let id: LineID?
        var cards: [Card]

        var weight: Int { cards.reduce(0) { $0 + $1.weight } }
    }

    private let verifier: CredentialVerifier
    private let form: BatchForm
    private let files: (any FileReader)?
    private var writer: CardLineJSON

    /// - Parameter files: what reads the files whose paths are the lines; nil if the lines are cards.
    init(
        policy: VerificationPolicy, precomputation: Precomputation?, form: BatchForm, files: (any FileReader)?
    ) throws(OutOfMemory) {
        verifier = try CredentialVerifier(policy: policy, precomputation: precomputation)
        self.form = form
        self.files = files
        writer = CardLineJSON(form.cards, escapesUnprintable: form.escapesUnprintable)
    }

    /// The maximum size in bytes of the payloads that are held together, except for the last one. A card takes several
    /// times the size of its payload.
    private static let maximumPayload = 1 << 20

    /// The expected length of a verdict in bytes: somewhat more than the average of the previous block.
    private var typicalLength = 512
    /// The maximum memory in bytes to reserve for the verdicts of a block. If they need more, it is added later.
    private static let maximumReserve = 128 << 10

    /// Verifies the lines of a block. It stops when each line has a verdict, when cards need evidence, or when there is
    /// so much output that it must be written first.
    ///
    /// - Returns: the evidence that the cards need.
    /// - Throws: `InstallationFault` if no file can be read.
    func advance(
        _ work: inout BlockWork<BatchVerifier>, with known: EvidenceAnswers
    ) throws(InstallationFault) -> [EvidenceRequest] {
        var evidence = known
        evidence.formUnion(work.refusals, replacing: true)
        if !work.pending.isEmpty {
            var completed = evidence
            completed.formUnion(work.answers, replacing: false)
            let requests = settle(&work, with: completed)
            guard requests.isEmpty else { return requests }
            work.answers = EvidenceAnswers()
        }
        if !form.isQuiet {
            work.output.reserveCapacity(min(work.block.lines.count * typicalLength, Self.maximumReserve))
        }
        while work.hasRoom {
            if let files { try takeFile(from: &work, by: files) }
            let requests = files == nil ? take(from: &work, with: evidence) : settle(&work, with: evidence)
            guard requests.isEmpty else { return requests }
        }
        if work.taken > 0 { typicalLength = work.output.count / work.taken * 9 / 8 }
        return []
    }

    /// Starts the next line, the path of a file: its cards wait to be verified.
    private func takeFile(
        from work: inout BlockWork<BatchVerifier>, by files: any FileReader
    ) throws(InstallationFault) {
        let number = work.block.firstLine + work.taken
        let cards = try files.cards(ofLine: work.block.content(ofLine: work.taken), number)
        work.pending.append(Pending(number: number, id: nil, cards: cards.map { .waiting(verifier.examine($0)) }))
        work.taken += 1
    }

    /// Starts the next lines: as many as are best verified together, or as fit into memory.
    private func take(from work: inout BlockWork<BatchVerifier>, with evidence: EvidenceAnswers) -> [EvidenceRequest] {
        var lines: [(number: Int, id: LineID?)] = []
        var cards: [CredentialVerifier.Examined] = []
        lines.reserveCapacity(verifier.bestCount)
        cards.reserveCapacity(verifier.bestCount)
        var size = 0
        while work.taken < work.block.lines.count, size < Self.maximumPayload, cards.count < verifier.bestCount {
            let number = work.block.firstLine + work.taken
            let line = BatchLine(work.block.content(ofLine: work.taken), source: form.source)
            let card = verifier.examine(line.card)
            size += card.payloadSize
            lines.append((number, line.id))
            cards.append(card)
            work.taken += 1
        }
        let outcomes = verify(cards, with: evidence)
        for ((line, card), outcome) in zip(zip(lines, cards), outcomes) {
            guard let verdict = outcome.verdict else {
                work.pending.append(.init(number: line.number, id: line.id, cards: [.waiting(card)]))
                continue
            }
            guard !work.pending.isEmpty else {
                write(verdict, number: line.number, id: line.id, to: &work.output)
                work.tally.add(verdict.reason?.code, PassNotes(on: verdict))
                continue
            }
            var output: [UInt8] = []
            write(verdict, number: line.number, id: line.id, to: &output)
            work.pending.append(.init(number: line.number, id: line.id, cards: [.judged(verdict, output: output)]))
        }
        return outcomes.requests
    }

    /// Verifies the cards that wait, and writes the verdicts of the lines before the first one of which a card still does.
    private func settle(_ work: inout BlockWork<BatchVerifier>, with evidence: EvidenceAnswers) -> [EvidenceRequest] {
        var places: [(line: Int, card: Int)] = []
        for (line, pending) in work.pending.enumerated() {
            places += pending.cards.indices.filter { pending.cards[$0].waiting != nil }.map { (line, $0) }
        }
        var requests: [EvidenceRequest] = []
        // A file may have thousands of cards, whose verdicts would take more memory together.
        for start in stride(from: 0, to: places.count, by: verifier.bestCount) {
            let group = places[start..<min(start + verifier.bestCount, places.count)]
            let outcomes = verify(group.compactMap { work.pending[$0.line].cards[$0.card].waiting }, with: evidence)
            for ((line, card), outcome) in zip(group, outcomes) {
                guard let verdict = outcome.verdict else { continue }
                var output: [UInt8] = []
                write(verdict, number: work.pending[line].number, id: work.pending[line].id, to: &output)
                work.pending[line].cards[card] = .judged(verdict, output: output)
            }
            for request in outcomes.requests where !requests.contains(request) { requests.append(request) }
        }
        let ready = work.pending.prefix { $0.cards.allSatisfy { $0.waiting == nil } }
        for case .judged(let reason, let notes, let output) in ready.flatMap(\.cards) {
            work.output += output
            work.tally.add(reason, notes)
        }
        work.pending.removeFirst(ready.count)
        return requests
    }

    /// Verifies cards for the current time. A run may go on for days, so the time is read again for each call.
    private func verify(_ cards: [CredentialVerifier.Examined], with evidence: EvidenceAnswers) -> [VerificationStep] {
        verifier.time = verifier.time.continued
        return verifier.verify(cards, with: evidence)
    }

    /// Writes a verdict: the object of the card, with the number of the line as its first member.
    private func write(_ verdict: Verdict, number: Int, id: LineID?, to output: inout [UInt8]) {
        form.observer?(verdict)
        guard !form.isQuiet else { return }
        let input = form.hasNamedCards ? nil : form.source
        writer.write(verdict, number: number, id: id, of: input, at: verifier.time, to: &output)
    }
}

extension VerificationTime {
    /// The same by the clock as it shows now, for a long run.
    var continued: VerificationTime { VerificationTime(moment, madeAt: .now) }
}

/// A batch: one card per line in, one verdict per line out; or the path of a file per line in, one verdict per card out.
package struct BatchRun: Sendable {
    private let lines: LineRun<BatchVerifier>
    /// The most lines that are the work of a thread together; nil for as many as there are. A file takes long, so each is a work of its own,
    /// and its verdicts are written as soon as there are those before it.
    private let linesTogether: Int?

    /// - Parameters:
    ///   - policy: what decides about verdicts.
    ///   - store: what issuers publish.
    ///   - form: the form of the output.
    ///   - jobs: the number of threads that verify.
    ///   - precomputation: what confirms signatures faster than OpenSSL's usual verification; nil for that alone.
    ///   - output: where the verdicts go.
    ///   - files: what reads the files whose paths are the lines; nil if the lines are cards.
    ///   - progress: is told of the counts so far, each time that verdicts were written.
    package init(
        policy: VerificationPolicy, store: EvidenceStore, form: BatchForm, jobs: Int,
        precomputation: Precomputation?, files: (any FileReader)? = nil, output: LineOutput = LineOutput(),
        progress: @escaping @Sendable (BatchTally) -> Void
    ) {
        linesTogether = files == nil ? nil : 1
        lines = LineRun(store: store, jobs: jobs, output: output, progress: progress) {
            try? BatchVerifier(policy: policy, precomputation: precomputation, form: form, files: files)
        }
    }

    /// Stops the start of further lines. Cards that wait for an issuer are left to the next run.
    package func interrupt() { lines.interrupt() }

    /// Verifies the lines of the input.
    ///
    /// - Parameters:
    ///   - reader: the input, at the position in the journal's state, or at its beginning.
    ///   - firstLine: the number of the first line to verify.
    ///   - journal: keeps how far the run came; nil if nothing does.
    package func run(_ reader: LineReader, from firstLine: Int, journal: BatchJournal?) async -> LineResult<BatchTally>
    {
        var reader = reader
        if let linesTogether { reader.linesTogether = linesTogether }
        return await lines.run(reader, from: firstLine, after: journal?.tally ?? BatchTally(), journal: journal)
    }
}

/// The form of the output of a batch. It is a class because it is read for every card, and a copy costs more than reading it.
package final class BatchForm: Sendable {
    /// The name of the input.
    let source: String
    /// Whether cards have names of their own. If not, their name is that of the input, with the number of the line.
    let hasNamedCards: Bool
    let cards: CardJSON
    /// Whether no verdicts are printed.
    let isQuiet: Bool
    /// Whether the output goes to a terminal.
    let escapesUnprintable: Bool
    /// Is told of each verdict, by several threads; nil if nobody is.
    let observer: (@Sendable (Verdict) -> Void)?

    package init(
        source: String, hasNamedCards: Bool = false, cards: CardJSON, isQuiet: Bool, escapesUnprintable: Bool,
        observer: (@Sendable (Verdict) -> Void)?
    ) {
        self.source = source
        self.hasNamedCards = hasNamedCards
        self.cards = cards
        self.isQuiet = isQuiet
        self.escapesUnprintable = escapesUnprintable
        self.observer = observer
    }
}

/// The counts of a number of lines of a batch.
package struct BatchTally: LineTally, Equatable {
    /// The number of lines.
    package private(set) var lines = 0
    /// The number of lines that did not verify, by reason.
    package private(set) var reasons: [ReasonCode: Int] = [:]
    /// By the first line that did not verify.
    package private(set) var outcome = RunOutcome()
    /// What the verdicts on the lines that verified do not mean.
    package private(set) var notes = PassNotes()

    package init() {}

    package init(lines: Int, reasons: [ReasonCode: Int], outcome: RunOutcome, notes: PassNotes) {
        self.notes = notes
        self.lines = lines
        self.reasons = reasons
        self.outcome = outcome
    }

    package let weight = 0

    /// The number of lines that verified.
    package var verified: Int { lines - reasons.values.reduce(0, +) }

    /// Counts the next line.
    ///
    /// - Parameters:
    ///   - reason: why the line did not verify; nil if it did.
    ///   - notes: what a verdict that it verified does not mean.
    package mutating func add(_ reason: ReasonCode?, _ notes: PassNotes = PassNotes()) {
        lines += 1
        self.notes.add(notes)
        guard let reason else { return }
        reasons[reason, default: 0] += 1
        outcome.add(reason)
    }

    /// Adds the counts of the lines that follow.
    package mutating func add(_ next: BatchTally) {
        lines += next.lines
        notes.add(next.notes)
        for (reason, count) in next.reasons { reasons[reason, default: 0] += count }
        outcome.add(next.outcome.reason)
    }
}

/// Reads the cards of a file.
package protocol FileReader: Sendable {
    /// Reads all cards of a file. It may take long, so no thread that others wait for may call it.
    ///
    /// - Parameters:
    ///   - path: its path.
    ///   - line: the number of the line with the path.
    /// - Returns: the cards, at least one. A file that cannot be read, or has no card, is one card with the failure.
    /// - Throws: `InstallationFault` if no picture can be read at all.
    func cards(of path: String, line: Int) throws(InstallationFault) -> [PresentedCredential]
}

extension FileReader {
    /// The cards of the file whose path is a line.
    func cards(ofLine line: ArraySlice<UInt8>?, _ number: Int) throws(InstallationFault) -> [PresentedCredential] {
        // Lists from Windows end their lines with a carriage return.
        let path = line.map { $0.last == 0x0D ? $0.dropLast() : $0 }
        guard path?.isEmpty != true else {
            return [failure(.emptyInput, "the line is empty, and each line is the path of a file", number)]
        }
        guard let path, path.count <= InputReader.longestName else {
            return [failure(.unreadableInput, "the line is too long for the path of a file", number)]
        }
        guard !path.contains(0) else {
            return [failure(.unreadableInput, "the line is not the path of a file: it has a NUL byte", number)]
        }
        guard let name = String(validating: path, as: UTF8.self) else {
            return [failure(.unreadableInput, "the line is not the path of a file: it is not text in UTF-8", number)]
        }
        return try cards(of: name, line: number)
    }

    private func failure(_ code: ReasonCode, _ message: String, _ number: Int) -> PresentedCredential {
        PresentedCredential(failure: VerificationFailure(code, message), source: "line \(number)")
    }
}
