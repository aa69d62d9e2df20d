import Bytes
public import Credentials

/// Reads inputs in any form, and returns the cards in them in input order.
///
/// The parts of a card that is split over several QR codes may come in any order and in several inputs. Such a card takes the
/// position of the part that came first.
public struct ArtifactReader: Sendable {
    private var slots: [Slot] = []
    /// The split cards whose parts are being collected.
    private var splitCards: [Collected] = []
    /// The index in `splitCards` of the card with this number of parts. All parts with the same number belong to one card.
    private var splitCardsByCount: [Int: Int] = [:]
    /// The number of cards so far with the name of an input.
    private var numbers: [String: Int] = [:]

    private enum Slot: Sendable {
        /// A whole card.
        case card(PresentedCredential)
        /// A split card, by its index in `splitCards`.
        case split(Int)
    }

    /// A split card, with its name and the warnings about its QR codes.
    private struct Collected: Sendable {
        let source: String
        var card: SplitCard
        var warnings: [CredentialWarning]
    }

    /// Creates a reader without cards.
    public init() {}

    /// Adds one input.
    ///
    /// - Parameters:
    ///   - bytes: the whole input.
    ///   - source: the name of the input. Its cards are named `source#0`, `source#1` and so on.
    public mutating func add(_ bytes: [UInt8], source: String) {
        var warnings: [CredentialWarning] = []
        let content = bytes[...].trimmingByteOrderMarks()
        if content.count < bytes[...].trimmingWhiteSpace().count {
            warnings.append(CredentialWarning(.byteOrderMark, "there is a byte-order mark around the card"))
        }
        guard bytes.count <= Bounds.inputSize + 3 else {
            return append(PresentedCredential(failure: Self.tooLarge, source: name(source)))
        }
        guard content.count <= Bounds.inputSize else {
            return append(PresentedCredential(failure: Self.tooLarge, source: name(source)))
        }
        do throws(VerificationFailure) {
            switch try Artifact(content) {
            case .cards(let kind, let cards):
                for card in cards {
                    switch card {
                    case .success(let jws):
                        append(PresentedCredential(text: jws, form: kind, source: name(source), warnings: warnings))
                    case .failure(let failure):
                        append(
                            PresentedCredential(failure: failure, form: kind, source: name(source), warnings: warnings))
                    }
                }
            case .qr(let lines):
                add(lines, source: source, warnings: warnings)
            }
        } catch {
            append(PresentedCredential(failure: error, source: name(source), warnings: warnings))
        }
    }

    /// Adds an input that could not be read, as one card with this failure.
    public mutating func add(failure: VerificationFailure, source: String) {
        append(PresentedCredential(failure: failure, source: source))
    }

    /// The failure of an input that is larger than `Bounds.inputSize`.
    public static let tooLarge = VerificationFailure(
        .malformedInput, "the input is larger than \(Bounds.inputSize >> 20) MiB, the limit for an input")

    private mutating func name(_ source: String) -> String {
        let number = numbers[source, default: 0]
        numbers[source] = number + 1
        return "\(source)#\(number)"
    }

    private mutating func append(_ card: PresentedCredential) {
        slots.append(.card(card))
    }

    // MARK: QR codes

    private mutating func add(_ lines: [ArraySlice<UInt8>], source: String, warnings: [CredentialWarning]) {
        let first = slots.count
        for line in lines {
            let code = QRCodeText(line)
            do throws(VerificationFailure) {
                let (part, notes) = try code.validated()
                add(code.characters, as: part, source: source, warnings: warnings + notes)
            } catch {
                append(PresentedCredential(failure: error, form: .qr, source: name(source), warnings: warnings))
            }
            guard slots.count - first <= Bounds.cards else {
                let failure = VerificationFailure(
                    .malformedQR, "at most \(Bounds.cards) cards are read from one input; the rest was not read")
                return append(
                    PresentedCredential(failure: failure, form: .qr, source: name(source), warnings: warnings))
            }
        }
    }

    private mutating func add(
        _ characters: [UInt8], as part: (index: Int, count: Int)?, source: String, warnings: [CredentialWarning]
    ) {
        guard let part, part.count > 1 else {
            return append(PresentedCredential(text: characters, form: .qr, source: name(source), warnings: warnings))
        }
        let index: Int
        if let known = splitCardsByCount[part.count] {
            index = known
        } else {
            index = splitCards.count
            splitCardsByCount[part.count] = index
            slots.append(.split(index))
            splitCards.append(Collected(source: name(source), card: SplitCard(count: part.count), warnings: []))
        }
        // Changed in place: with a copy for each part, the time would grow with the square of the number of parts.
        splitCards[index].card.add(characters, as: part.index)
        for warning in warnings where !splitCards[index].warnings.contains(warning) {
            splitCards[index].warnings.append(warning)
        }
    }

    // MARK: Cards

    /// The cards in input order; empty only if no input was added.
    public func cards() -> [PresentedCredential] {
        slots.map { slot in
            switch slot {
            case .card(let card): card
            case .split(let number): Self.joined(splitCards[number])
            }
        }
    }

    private static func joined(_ collected: Collected) -> PresentedCredential {
        let card = collected.card
        let failure: VerificationFailure
        if let conflict = card.conflicts.min() {
            failure = VerificationFailure(
                .malformedQR,
                "two different texts were given for part \(conflict) of \(card.count), so they are parts of two cards")
        } else if let jws = card.jws {
            return PresentedCredential(text: jws, form: .qr, source: collected.source, warnings: collected.warnings)
        } else {
            failure = VerificationFailure(
                .qrChunkMissing,
                "the card is split over \(card.count) QR codes; still missing: \(list(card.missing)) of \(card.count)")
        }
        return PresentedCredential(failure: failure, form: .qr, source: collected.source, warnings: collected.warnings)
    }

    private static func list(_ numbers: [Int]) -> String {
        let shown = numbers.prefix(8).map { String($0) }.joined(separator: ", ")
        return "part" + (numbers.count > 1 ? "s " : " ") + shown + (numbers.count > 8 ? ", …" : "")
    }
}
