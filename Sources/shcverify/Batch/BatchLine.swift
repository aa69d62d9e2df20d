import JSON
import SMARTHealthCards

/// One line of input, read: the card in it, and what its sender calls it.
struct BatchLine {
    let card: PresentedCard
    let id: BatchID?

    /// Reads a line.
    ///
    /// - Parameters:
    ///   - bytes: the line, with or without what ends it; nil for one past the bound.
    ///   - source: what to call the card.
    init(_ bytes: ArraySlice<UInt8>?, source: String) {
        guard let content = bytes?.trimmingByteOrderMarks(), content.count <= Bounds.inputSize else {
            card = PresentedCard(failure: ArtifactReader.tooLarge, source: source)
            id = nil
            return
        }
        guard content.first == UInt8(ascii: "{") else {
            card = Self.card(content, in: bytes ?? content, source: source)
            id = nil
            return
        }
        var id: BatchID?
        do throws(VerificationFailure) {
            let text = try Self.text(of: Array(content), id: &id)
            card = Self.card(text.trimmingByteOrderMarks(), in: text, source: source)
        } catch {
            card = PresentedCard(failure: error, source: source)
        }
        self.id = id
    }

    /// The card in a JWS or in the text of a QR code.
    ///
    /// - Parameters:
    ///   - content: the text.
    ///   - line: the same with what surrounds it.
    private static func card(_ content: ArraySlice<UInt8>, in line: ArraySlice<UInt8>, source: String) -> PresentedCard
    {
        if content.starts(with: "eyJ".utf8), line.first == content.first {
            return PresentedCard(jws: Array(content), source: source)
        }
        guard !content.isEmpty else { return failure("the line is empty", source) }
        guard content.first != UInt8(ascii: "{") else { return failure("this is JSON within JSON", source) }
        var reader = ArtifactReader()
        reader.add(Array(line), source: source)
        let cards = reader.cards()
        guard cards.count == 1, let card = cards.first else { return failure("these are several", source) }
        switch card.kind {
        case .file, .parameters, .deeplink: return failure("this holds a file of cards, which verify reads", source)
        case .jws, .qr, nil: break
        }
        switch card.jws {
        case .success(let jws):
            return PresentedCard(jws: jws, kind: card.kind ?? .jws, source: source, warnings: card.warnings)
        case .failure(let failure):
            return PresentedCard(failure: failure, kind: card.kind, source: source, warnings: card.warnings)
        }
    }

    private static func failure(_ found: String, _ source: String) -> PresentedCard {
        PresentedCard(failure: malformed(found), source: source)
    }

    private static func malformed(_ found: String) -> VerificationFailure {
        VerificationFailure(
            .malformedInput,
            "a line holds one card: a compact JWS, the text of one QR code (shc:/…), or a JSON object with one of these as "
                + "\"card\"; \(found)")
    }

    /// `{"card": TEXT, "id": any value}`. What else the object holds is its sender's.
    ///
    /// - Parameter id: is set also where there is no card, so that the sender can tell which it was.
    private static func text(
        of content: [UInt8], id: inout BatchID?
    ) throws(VerificationFailure) -> ArraySlice<UInt8> {
        guard !content.holdsMoreJSONValues(than: Bounds.inputValues) else {
            throw malformed("this JSON object holds more than \(Bounds.inputValues) values")
        }
        let object: JSONValue
        do throws(JSONError) {
            object = try JSONDocument.parse(content, maximumDepth: Bounds.nesting)
        } catch {
            throw malformed("this begins as a JSON object, but is not acceptable JSON: \(error)")
        }
        id = object["id"].map { BatchID($0) }
        guard let card = object["card"] else { throw malformed("this JSON object has no member \"card\"") }
        guard let text = card.stringBytes else {
            throw malformed("\"card\" is a string, and here it is of type \(card.kind.rawValue)")
        }
        return text[...]
    }
}
