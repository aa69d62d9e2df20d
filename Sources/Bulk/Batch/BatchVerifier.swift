import CredentialReports
import Credentials
import SMARTHealthCards
import StrictJSON
import Verification

/// Verifies the lines of one block after the other, on one thread.
final class BatchVerifier: LineWorker {
    typealias Tally = BatchTally

    /// A line whose verdict cannot be written yet: its card waits for evidence, or comes after one that does.
    struct Pending: PendingLine {
        enum Card: Sendable {
            case waiting(CredentialVerifier.Examined)
            case judged(ReasonCode?, PassNotes, output: [UInt8])

            var isJudged: Bool {
                if case .judged = self { true } else { false }
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
        var card: Card

        var weight: Int { card.weight }
    }

    private let verifier: CredentialVerifier
    private let form: BatchForm
    private var writer: BatchWriter

    init(
        policy: VerificationPolicy, precomputation: Precomputation?, form: BatchForm
    ) throws(OutOfMemory) {
        verifier = try CredentialVerifier(policy: policy, precomputation: precomputation)
        self.form = form
        writer = BatchWriter(form)
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
    func advance(_ work: inout BlockWork<BatchVerifier>, with known: Evidence) -> [EvidenceRequest] {
        var evidence = known
        evidence.formUnion(work.refusals, replacing: true)
        if !work.pending.isEmpty {
            var completed = evidence
            completed.formUnion(work.answers, replacing: false)
            let requests = settle(&work, with: completed)
            guard requests.isEmpty else { return requests }
            work.answers = Evidence()
        }
        if !form.isQuiet {
            work.output.reserveCapacity(min(work.block.lines.count * typicalLength, Self.maximumReserve))
        }
        while work.hasRoom {
            let requests = take(from: &work, with: evidence)
            guard requests.isEmpty else { return requests }
        }
        if work.taken > 0 { typicalLength = work.output.count / work.taken * 9 / 8 }
        return []
    }

    /// Starts the next lines: as many as are best verified together, or as fit into memory.
    private func take(from work: inout BlockWork<BatchVerifier>, with evidence: Evidence) -> [EvidenceRequest] {
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
            switch outcome {
            case .verdict(let verdict) where work.pending.isEmpty:
                write(verdict, number: line.number, id: line.id, to: &work.output)
                work.tally.add(verdict.reason?.code, PassNotes(on: verdict))
            case .verdict(let verdict):
                var output: [UInt8] = []
                write(verdict, number: line.number, id: line.id, to: &output)
                work.pending.append(
                    .init(number: line.number, id: line.id, card: .judged(verdict, output: output)))
            case .needs:
                work.pending.append(.init(number: line.number, id: line.id, card: .waiting(card)))
            }
        }
        return Self.requests(of: outcomes)
    }

    /// Verifies the cards that had to wait.
    private func settle(_ work: inout BlockWork<BatchVerifier>, with evidence: Evidence) -> [EvidenceRequest] {
        var indices: [Int] = []
        var cards: [CredentialVerifier.Examined] = []
        for (index, line) in work.pending.enumerated() {
            guard case .waiting(let card) = line.card else { continue }
            indices.append(index)
            cards.append(card)
        }
        let outcomes = verify(cards, with: evidence)
        for ((index, card), outcome) in zip(zip(indices, cards), outcomes) {
            switch outcome {
            case .verdict(let verdict):
                var output: [UInt8] = []
                let line = work.pending[index]
                write(verdict, number: line.number, id: line.id, to: &output)
                work.pending[index].card = .judged(verdict, output: output)
            case .needs: work.pending[index].card = .waiting(card)
            }
        }
        // The verdicts before the first card that still waits can be written.
        var count = 0
        for line in work.pending {
            guard case .judged(let reason, let notes, let output) = line.card else { break }
            work.output += output
            work.tally.add(reason, notes)
            count += 1
        }
        work.pending.removeFirst(count)
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

    private func write(_ verdict: Verdict, number: Int, id: LineID?, to output: inout [UInt8]) {
        writer.write(verdict, number: number, id: id, at: verifier.time, to: &output)
    }
}

extension VerificationTime {
    /// The same by the clock as it shows now, for a long run.
    var continued: VerificationTime { VerificationTime(moment, madeAt: .now) }
}
