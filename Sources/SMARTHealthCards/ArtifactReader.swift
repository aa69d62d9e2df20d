/// Takes inputs in whatever form they come and yields the cards in them, in input order.
///
/// The parts of a card that was split over several QR codes may come in any order and in several inputs; such a card
/// stands where its first part stood.
public struct ArtifactReader: Sendable {
    private var slots: [Slot] = []
    /// The cards that are being put together.
    private var splitCards: [SplitCard] = []
    /// Which of them has how many parts; no two have the same number.
    private var splitCardsByCount: [Int: Int] = [:]
    /// How many cards bear an input's name so far.
    private var numbers: [String: Int] = [:]

    private enum Slot: Sendable {
        case card(PresentedCard)
        case split(Int)
    }

    /// A card whose parts are being collected.
    private struct SplitCard: Sendable {
        let source: String
        let count: Int
        var parts: [Int: [UInt8]]
        var conflict: Int?
        var warnings: [CardWarning]
    }

    public init() {}

    /// Takes one input.
    ///
    /// - Parameters:
    ///   - bytes: the whole input.
    ///   - source: what to call it; the cards in it are called `source#0`, `source#1` and so on.
    public mutating func add(_ bytes: [UInt8], source: String) {
        var warnings: [CardWarning] = []
        let content = bytes[...].trimmingByteOrderMarks()
        if content.count < bytes[...].trimmingWhiteSpace().count {
            warnings.append(CardWarning(.byteOrderMark, "there is a byte-order mark around the card"))
        }
        guard bytes.count <= Bounds.inputSize + 3 else {
            return append(PresentedCard(failure: Self.tooLarge, source: name(source)))
        }
        guard content.count <= Bounds.inputSize else {
            return append(PresentedCard(failure: Self.tooLarge, source: name(source)))
        }
        do throws(VerificationFailure) {
            switch try Artifact(content) {
            case .cards(let kind, let cards):
                for card in cards {
                    switch card {
                    case .success(let jws):
                        append(PresentedCard(jws: jws, kind: kind, source: name(source), warnings: warnings))
                    case .failure(let failure):
                        append(PresentedCard(failure: failure, kind: kind, source: name(source), warnings: warnings))
                    }
                }
            case .qr(let lines):
                add(lines, source: source, warnings: warnings)
            }
        } catch {
            append(PresentedCard(failure: error, source: name(source), warnings: warnings))
        }
    }

    /// Takes an input that could not be read.
    public mutating func add(failure: VerificationFailure, source: String) {
        append(PresentedCard(failure: failure, source: source))
    }

    /// The failure of an input past its bound.
    public static let tooLarge = VerificationFailure(
        .malformedInput, "the input is larger than \(Bounds.inputSize >> 20) MiB; no health card is")

    private mutating func name(_ source: String) -> String {
        let number = numbers[source, default: 0]
        numbers[source] = number + 1
        return "\(source)#\(number)"
    }

    private mutating func append(_ card: PresentedCard) {
        slots.append(.card(card))
    }

    // MARK: QR codes

    private mutating func add(_ lines: [ArraySlice<UInt8>], source: String, warnings: [CardWarning]) {
        let first = slots.count
        for line in lines {
            do throws(VerificationFailure) {
                let chunk = try QRChunk(line)
                add(chunk, source: source, warnings: warnings + chunk.warnings)
            } catch {
                append(PresentedCard(failure: error, kind: .qr, source: name(source), warnings: warnings))
            }
            guard slots.count - first <= Bounds.cards else {
                let failure = VerificationFailure(
                    .malformedQR, "at most \(Bounds.cards) cards are read from one input; the rest was not looked at")
                return append(PresentedCard(failure: failure, kind: .qr, source: name(source), warnings: warnings))
            }
        }
    }

    private mutating func add(_ chunk: QRChunk, source: String, warnings: [CardWarning]) {
        guard let part = chunk.part, part.count > 1 else {
            return append(PresentedCard(jws: chunk.jws, kind: .qr, source: name(source), warnings: warnings))
        }
        guard let known = splitCardsByCount[part.count] else {
            splitCardsByCount[part.count] = splitCards.count
            slots.append(.split(splitCards.count))
            splitCards.append(
                SplitCard(
                    source: name(source), count: part.count, parts: [part.index: chunk.jws], warnings: warnings))
            return
        }
        // In place: a copy would cost as much as all parts so far, for each of them.
        if let earlier = splitCards[known].parts.updateValue(chunk.jws, forKey: part.index), earlier != chunk.jws {
            splitCards[known].conflict = part.index
        }
        for warning in warnings where !splitCards[known].warnings.contains(warning) {
            splitCards[known].warnings.append(warning)
        }
    }

    // MARK: Cards

    /// The cards, in input order. Empty only where no input was given.
    public func cards() -> [PresentedCard] {
        slots.map { slot in
            switch slot {
            case .card(let card): card
            case .split(let number): Self.joined(splitCards[number])
            }
        }
    }

    private static func joined(_ card: SplitCard) -> PresentedCard {
        let missing = (1...card.count).filter { card.parts[$0] == nil }
        let failure: VerificationFailure? =
            if let conflict = card.conflict {
                VerificationFailure(
                    .malformedQR,
                    "two different texts were given for part \(conflict) of \(card.count): these are parts of two cards"
                )
            } else if !missing.isEmpty {
                VerificationFailure(
                    .qrChunkMissing,
                    "the card is in \(card.count) QR codes; still missing: \(list(missing)) of \(card.count)")
            } else {
                nil
            }
        if let failure {
            return PresentedCard(failure: failure, kind: .qr, source: card.source, warnings: card.warnings)
        }
        let jws = (1...card.count).reduce(into: [UInt8]()) { $0 += card.parts[$1] ?? [] }
        return PresentedCard(jws: jws, kind: .qr, source: card.source, warnings: card.warnings)
    }

    private static func list(_ numbers: [Int]) -> String {
        let shown = numbers.prefix(8).map { String($0) }.joined(separator: ", ")
        return "part" + (numbers.count > 1 ? "s " : " ") + shown + (numbers.count > 8 ? ", …" : "")
    }
}
