import CredentialReports
import Credentials
import SMARTHealthCards
import StrictJSON
import Verification

/// Verifies the lines of one block after the other, on one thread.
final class BatchVerifier: BlockWorker {
    /// The form of the output.
    struct Form: Sendable {
        /// The name of the input.
        let source: String
        let cards: CardJSON
        let isQuiet: Bool
        let escapesUnprintable: Bool
        let trace: Trace
        let noted = NotedKeys()
    }

    private let verifier: CredentialVerifier
    private let form: Form
    private var writer: JSONWriter
    private let prepared: PreparedVerdicts

    init(
        policy: VerificationPolicy, precomputation: Precomputation?, form: Form
    ) throws(OutOfMemory) {
        verifier = try CredentialVerifier(policy: policy, precomputation: precomputation)
        self.form = form
        writer = JSONWriter(escapesUnprintable: form.escapesUnprintable)
        prepared = PreparedVerdicts(escapesUnprintable: form.escapesUnprintable)
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
    func advance(_ block: inout BatchBlock, with known: Evidence) -> [EvidenceRequest] {
        var evidence = known
        evidence.formUnion(block.refusals, replacing: true)
        if !block.pending.isEmpty {
            var completed = evidence
            completed.formUnion(block.answers, replacing: false)
            let requests = settle(&block, with: completed)
            guard requests.isEmpty else { return requests }
            block.answers = Evidence()
        }
        if !form.isQuiet {
            block.output.reserveCapacity(min(block.lines.count * typicalLength, Self.maximumReserve))
        }
        while block.taken < block.lines.count, block.output.count < BatchBlock.maximumOutput {
            let requests = take(from: &block, with: evidence)
            guard requests.isEmpty else { return requests }
        }
        if block.taken > 0 { typicalLength = block.output.count / block.taken * 9 / 8 }
        return []
    }

    /// Starts the next lines: as many as are best verified together, or as fit into memory.
    private func take(from block: inout BatchBlock, with evidence: Evidence) -> [EvidenceRequest] {
        var lines: [(number: Int, id: BatchID?)] = []
        var cards: [CredentialVerifier.Examined] = []
        lines.reserveCapacity(verifier.bestCount)
        cards.reserveCapacity(verifier.bestCount)
        var size = 0
        while block.taken < block.lines.count, size < Self.maximumPayload, cards.count < verifier.bestCount {
            let number = block.firstLine + block.taken
            let line = BatchLine(block.lines[block.taken].range.map { block.bytes[$0] }, source: form.source)
            let card = verifier.examine(line.card)
            size += card.payloadSize
            lines.append((number, line.id))
            cards.append(card)
            block.taken += 1
        }
        let outcomes = verify(cards, with: evidence)
        for ((line, card), outcome) in zip(zip(lines, cards), outcomes) {
            switch outcome {
            case .verdict(let verdict) where block.pending.isEmpty:
                write(verdict, number: line.number, id: line.id, to: &block.output)
                block.tally.add(verdict.reason?.code, PassNotes(on: verdict))
            case .verdict(let verdict):
                var output: [UInt8] = []
                write(verdict, number: line.number, id: line.id, to: &output)
                block.pending.append(
                    .init(number: line.number, id: line.id, card: .judged(verdict, output: output)))
            case .needs:
                block.pending.append(.init(number: line.number, id: line.id, card: .waiting(card)))
            }
        }
        return Self.requests(of: outcomes)
    }

    /// Verifies the cards that had to wait.
    private func settle(_ block: inout BatchBlock, with evidence: Evidence) -> [EvidenceRequest] {
        var places: [Int] = []
        var cards: [CredentialVerifier.Examined] = []
        for (place, line) in block.pending.enumerated() {
            guard case .waiting(let card) = line.card else { continue }
            places.append(place)
            cards.append(card)
        }
        let outcomes = verify(cards, with: evidence)
        for ((place, card), outcome) in zip(zip(places, cards), outcomes) {
            switch outcome {
            case .verdict(let verdict):
                var output: [UInt8] = []
                let line = block.pending[place]
                write(verdict, number: line.number, id: line.id, to: &output)
                block.pending[place].card = .judged(verdict, output: output)
            case .needs: block.pending[place].card = .waiting(card)
            }
        }
        // The verdicts before the first card that still waits can be written.
        var count = 0
        for line in block.pending {
            guard case .judged(let reason, let notes, let output) = line.card else { break }
            block.output += output
            block.tally.add(reason, notes)
            count += 1
        }
        block.pending.removeFirst(count)
        return Self.requests(of: outcomes)
    }

    /// Verifies cards for the current time. A run may go on for days, so the time is read again for each call.
    private func verify(_ cards: [CredentialVerifier.Examined], with evidence: Evidence) -> [VerificationStep] {
        verifier.time = verifier.time.continued
        return verifier.verify(cards, with: evidence)
    }

    /// The evidence that is needed, without repetitions.
    private static func requests(of outcomes: [VerificationStep]) -> [EvidenceRequest] {
        var requests: [EvidenceRequest] = []
        for case .needs(let request) in outcomes where !requests.contains(request) { requests.append(request) }
        return requests
    }

    /// Writes the verdict of a line: the object of the card, with the line's number and ID as its first members.
    private func write(_ verdict: Verdict, number: Int, id: BatchID?, to output: inout [UInt8]) {
        form.trace.note(verdict, unlessIn: form.noted)
        guard !form.isQuiet else { return }
        writer.clear()
        form.cards.write(verdict, to: &writer, at: verifier.time, prepared: prepared) { writer in
            let members = form.cards.members
            if members.contains(.line) { writer.member("line", number) }
            if let id, members.contains(.id) {
                writer.name("id")
                id.write(to: &writer)
            }
            guard members.contains(.source) else { return }
            // Lines are numbered from 1, and the cards of an input from 0.
            writer.name("source")
            writer.value(form.source, number: number - 1)
        }
        output += writer.bytes
        output.append(UInt8(ascii: "\n"))
    }
}
