/// Takes inputs in whatever form they come and yields the cards in them, in input order.
///
/// The parts of a card that was split over several QR codes may come in any order and in several inputs; such a card
/// stands where its first part stood.
public struct ArtifactReader: Sendable {
    private var slots: [Slot] = []
    /// The cards that are being put together, by how many parts they say they have.
    private var splitCards: [Int: Int] = [:]
    private var inputs: [String: Int] = [:]

    private enum Slot: Sendable {
        case card(PresentedCard)
        case split(SplitCard)
    }

    /// A card whose parts are being collected.
    private struct SplitCard: Sendable {
        let source: String
        let count: Int
        var parts: [Int: [UInt8]] = [:]
        var conflict: Int?
        var warnings: [CardWarning] = []
    }

    public init() {}

    /// Takes one input.
    ///
    /// - Parameters:
    ///   - bytes: the whole input.
    ///   - source: what to call it; the cards in it are called `source#0`, `source#1` and so on.
    public mutating func add(_ bytes: [UInt8], source: String) {
        var warnings: [CardWarning] = []
        var content = bytes[...]
        if content.starts(with: ArraySlice<UInt8>.byteOrderMark) {
            content = content.dropFirst(3)
            warnings.append(CardWarning(.byteOrderMark, "a byte-order mark precedes the card"))
        }
        guard content.count <= Bounds.inputSize else {
            return add(failure: Self.tooLarge, source: name(source))
        }
        do throws(VerificationFailure) {
            switch try Artifact(content) {
            case .cards(let kind, let cards):
                for card in cards {
                    let presented =
                        switch card {
                        case .success(let jws):
                            PresentedCard(jws: jws, kind: kind, source: name(source), warnings: warnings)
                        case .failure(let failure):
                            PresentedCard(failure: failure, kind: kind, source: name(source), warnings: warnings)
                        }
                    slots.append(.card(presented))
                }
            case .qr(let lines):
                for line in lines { add(line, source: source, warnings: warnings) }
            }
        } catch {
            add(failure: error, source: name(source))
        }
    }

    /// Takes an input that could not be read.
    public mutating func add(failure: VerificationFailure, source: String) {
        slots.append(.card(PresentedCard(failure: failure, source: source)))
    }

    /// The failure of an input past its bound.
    public static let tooLarge = VerificationFailure(
        .malformedInput, "the input is larger than \(Bounds.inputSize >> 20) MiB; no health card is")

    private mutating func name(_ source: String) -> String {
        let number = inputs[source, default: 0]
        inputs[source] = number + 1
        return "\(source)#\(number)"
    }

    private mutating func add(_ line: ArraySlice<UInt8>, source: String, warnings: [CardWarning]) {
        do throws(VerificationFailure) {
            let chunk = try QRChunk(line)
            let warnings = warnings + chunk.warnings
            guard let part = chunk.part, part.count > 1 else {
                let card = PresentedCard(jws: chunk.jws, kind: .qr, source: name(source), warnings: warnings)
                return slots.append(.card(card))
            }
            if let slot = splitCards[part.count], case .split(var card) = slots[slot] {
                if let known = card.parts[part.index], known != chunk.jws { card.conflict = part.index }
                card.parts[part.index] = chunk.jws
                slots[slot] = .split(card)
            } else {
                splitCards[part.count] = slots.count
                slots.append(
                    .split(
                        SplitCard(
                            source: name(source), count: part.count, parts: [part.index: chunk.jws],
                            warnings: warnings)))
            }
        } catch {
            slots.append(
                .card(PresentedCard(failure: error, kind: .qr, source: name(source), warnings: warnings)))
        }
    }

    /// The cards, in input order. Empty only where no input was given.
    public func cards() -> [PresentedCard] {
        slots.map { slot in
            switch slot {
            case .card(let card): card
            case .split(let card): Self.joined(card)
            }
        }
    }

    private static func joined(_ card: SplitCard) -> PresentedCard {
        let missing = (1...card.count).filter { card.parts[$0] == nil }
        let failure: VerificationFailure? =
            if let conflict = card.conflict {
                VerificationFailure(
                    .malformedQR,
                    "two different texts were given for part \(conflict) of \(card.count): these are parts of two cards")
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
