import Deflate
import JSON
import SMARTHealthCards

/// What one thread verifies lines with, one block after the other.
final class BatchVerifier {
    /// What is printed of each line, and how it is called.
    struct Form: Sendable {
        /// The input's name.
        let source: String
        let cards: CardJSON
        let isQuiet: Bool
        let escapesUnprintable: Bool
    }

    private let verifier: BulkVerifier
    private let form: Form
    private var writer: JSONWriter
    private let prepared: PreparedVerdicts
    /// The moment for which cards are verified.
    private let clock: @Sendable () -> NumericDate

    init(
        policy: VerificationPolicy, precomputation: Precomputation?, form: Form,
        clock: @escaping @Sendable () -> NumericDate
    ) throws(InflateError) {
        verifier = try BulkVerifier(policy: policy, precomputation: precomputation)
        self.form = form
        self.clock = clock
        writer = JSONWriter(escapesUnprintable: form.escapesUnprintable)
        prepared = PreparedVerdicts(escapesUnprintable: form.escapesUnprintable)
    }

    /// How many bytes of payload are held at once, beside one card's. What hangs on a card is several times its payload.
    private static let maximumPayload = 1 << 20

    /// About how long a verdict is, in bytes: somewhat longer than those of the block before were.
    private var typicalLength = 512
    /// How much memory is reserved for the verdicts of a block at most. More is taken as it is needed.
    private static let maximumReserve = 128 << 10

    /// Takes a block as far as it goes: until every line has its verdict, some cards need what is not known, or there is
    /// so much output that it has to be written first.
    ///
    /// - Returns: what has to be known.
    func advance(_ block: inout BatchBlock, with known: Evidence) -> [EvidenceRequest] {
        var evidence = known
        for (issuer, refusal) in block.refusals.keys { evidence.keys[issuer] = refusal }
        if !block.pending.isEmpty {
            let requests = settle(&block, with: evidence.completed(by: block.answers))
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

    /// Takes up the next lines: as many as are best verified together, or as can be held.
    private func take(from block: inout BatchBlock, with evidence: Evidence) -> [EvidenceRequest] {
        var lines: [(number: Int, id: BatchID?)] = []
        var cards: [ExaminedCard] = []
        lines.reserveCapacity(verifier.bestCount)
        cards.reserveCapacity(verifier.bestCount)
        var size = 0
        while block.taken < block.lines.count, size < Self.maximumPayload, cards.count < verifier.bestCount {
            let number = block.firstLine + block.taken
            let line = BatchLine(block.lines[block.taken].range.map { block.bytes[$0] }, source: form.source)
            let card = verifier.examine(line.card)
            size += card.decoded?.claims.payload.text.count ?? 0
            lines.append((number, line.id))
            cards.append(card)
            block.taken += 1
        }
        let outcomes = verify(cards, with: evidence)
        let requests = Self.requests(of: outcomes)
        for (line, outcome) in zip(lines, outcomes) {
            switch outcome {
            case .verdict(let verdict) where requests.isEmpty:
                write(verdict, number: line.number, id: line.id, to: &block.output)
                block.tally.add(verdict.reason?.code)
            case .verdict(let verdict):
                var output: [UInt8] = []
                write(verdict, number: line.number, id: line.id, to: &output)
                block.pending.append(
                    .init(number: line.number, id: line.id, card: .judged(verdict.reason?.code, output: output)))
            case .needs(_, let card):
                block.pending.append(.init(number: line.number, id: line.id, card: .waiting(card)))
            }
        }
        return requests
    }

    /// Brings the cards that had to wait once more.
    private func settle(_ block: inout BatchBlock, with evidence: Evidence) -> [EvidenceRequest] {
        var places: [Int] = []
        var cards: [ExaminedCard] = []
        for (place, line) in block.pending.enumerated() {
            guard case .waiting(let card) = line.card else { continue }
            places.append(place)
            cards.append(card)
        }
        let outcomes = verify(cards, with: evidence)
        for (place, outcome) in zip(places, outcomes) {
            switch outcome {
            case .verdict(let verdict):
                var output: [UInt8] = []
                let line = block.pending[place]
                write(verdict, number: line.number, id: line.id, to: &output)
                block.pending[place].card = .judged(verdict.reason?.code, output: output)
            case .needs(_, let card): block.pending[place].card = .waiting(card)
            }
        }
        let requests = Self.requests(of: outcomes)
        guard requests.isEmpty else { return requests }
        for line in block.pending {
            guard case .judged(let reason, let output) = line.card else { continue }
            block.output += output
            block.tally.add(reason)
        }
        block.pending = []
        return []
    }

    /// Verifies cards for this moment: a run may go on for days, and a card is judged by the time at which it is judged.
    private func verify(_ cards: [ExaminedCard], with evidence: Evidence) -> [BulkVerifier.Outcome] {
        verifier.now = clock()
        return verifier.verify(cards, with: evidence)
    }

    /// What is needed, each once.
    private static func requests(of outcomes: [BulkVerifier.Outcome]) -> [EvidenceRequest] {
        var requests: [EvidenceRequest] = []
        for case .needs(let request, _) in outcomes where !requests.contains(request) { requests.append(request) }
        return requests
    }

    /// Writes a line's verdict: the card's object, with the line's number and id before its members.
    private func write(_ verdict: Verdict, number: Int, id: BatchID?, to output: inout [UInt8]) {
        guard !form.isQuiet else { return }
        writer.clear()
        form.cards.write(verdict, to: &writer, prepared: prepared) { writer in
            writer.member("line", number)
            if let id {
                writer.name("id")
                id.write(to: &writer)
            }
            // Lines are numbered from 1, cards of an input from 0.
            writer.name("source")
            writer.value(form.source, number: number - 1)
        }
        output += writer.bytes
        output.append(UInt8(ascii: "\n"))
    }
}

extension Evidence {
    /// With answers that it lacks.
    fileprivate func completed(by others: Evidence) -> Evidence {
        var evidence = self
        for (issuer, keys) in others.keys where evidence.keys[issuer] == nil { evidence.keys[issuer] = keys }
        for (name, list) in others.lists where evidence.lists[name] == nil { evidence.lists[name] = list }
        for (issuer, failure) in others.refusedRefreshes where evidence.refusedRefreshes[issuer] == nil {
            evidence.refusedRefreshes[issuer] = failure
        }
        return evidence
    }
}
