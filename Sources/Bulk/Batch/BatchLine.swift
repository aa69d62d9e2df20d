import CredentialReports
import Credentials
import Encodings
import Inputs

/// One line of input: its card and its ID.
struct BatchLine {
    let card: PresentedCredential
    let id: LineID?

    /// Reads a line.
    ///
    /// - Parameters:
    ///   - bytes: the line, with or without its line break; nil if the line is too long.
    ///   - source: the name of the card.
    init(_ bytes: ArraySlice<UInt8>?, source: String) {
        guard let content = bytes?.trimmingByteOrderMarks(), content.count <= Bounds.inputSize else {
            card = PresentedCredential(failure: CredentialReader.tooLarge, source: source)
            id = nil
            return
        }
        guard content.first == UInt8(ascii: "{") else {
            card = Self.card(content, in: bytes ?? content, source: source)
            id = nil
            return
        }
        var id: LineID?
        do throws(VerificationFailure) {
            let text = try Self.text(of: Array(content), id: &id)
            card = Self.card(text.trimmingByteOrderMarks(), in: text, source: source)
        } catch {
            card = PresentedCredential(failure: error, source: source)
        }
        self.id = id
    }

    /// The card in a JWS or in the text of a QR code.
    ///
    /// - Parameters:
    ///   - content: the text, without white space and byte-order marks around it.
    ///   - line: the same text with them.
    private static func card(_ content: ArraySlice<UInt8>, in line: ArraySlice<UInt8>, source: String)
        -> PresentedCredential
    {
        // What a scanner adds, such as a NUL at the end, is for the reader of all inputs.
        let isAlone = line.first == content.first && content.last.map { $0 > 0x20 } ?? false
        switch isAlone ? Recognition.quick(content) : nil {
        case .jws?: return PresentedCredential(jws: Array(content), source: source)
        case .hc1?: return CredentialReader.certificate(Array(content), source: source)
        // What is wrong with another text is said by the reader of all inputs.
        case .qr? where line.trimmingWhiteSpace().count == content.count:
            if let card = CredentialReader.card(wholeCode: content, source: source) { return card }
        default: break
        }
        // What makes lines of a table writes null for a missing card.
        guard !content.isEmpty, !content.elementsEqual("null".utf8) else {
            let failure = VerificationFailure(.emptyInput, "the line has no card")
            return PresentedCredential(failure: failure, source: source)
        }
        guard content.first != UInt8(ascii: "{") else { return failure("this is JSON within JSON", source) }
        guard !FileName.isOne(content) else {
            let failure = VerificationFailure(
                .malformedInput,
                "this looks like the name of a file: batch takes the cards themselves, one a line; with --pictures, it takes the paths of "
                    + "files and pictures")
            return PresentedCredential(failure: failure, source: source)
        }
        var reader = CredentialReader()
        reader.add(Array(line), source: source)
        let cards = reader.cards()
        guard cards.count == 1, let card = cards.first else { return failure("this line has several", source) }
        if let form = card.form, [.file, .parameters, .deeplink].contains(form) {
            return failure("this is a file of cards, which \"shcverify verify\" reads", source)
        }
        return PresentedCredential(
            card.text, kind: card.kind, form: card.form, source: source, warnings: card.warnings)
    }

    private static func failure(_ found: String, _ source: String) -> PresentedCredential {
        PresentedCredential(failure: malformed(found), source: source)
    }

    private static func malformed(_ found: String) -> VerificationFailure {
        VerificationFailure(
            .malformedInput,
            "a line holds one card: a compact JWS, the text of one QR code (shc:/… or HC1:…), or a JSON object with one of these as "
                + "\"card\"; \(found)")
    }

    /// The text of the card in `{"card": TEXT, "id": any value}`. Other members are ignored, except those of a card file.
    ///
    /// - Parameter id: is also set if there is no card, so that the sender can recognise the line.
    private static func text(
        of content: [UInt8], id: inout LineID?
    ) throws(VerificationFailure) -> ArraySlice<UInt8> {
        let object: LineObject
        do throws(DeepLink.Defect) {
            object = try LineObject(content)
        } catch .tooManyValues {
            throw malformed("this JSON object holds more than \(Bounds.inputValues) values")
        } catch {
            throw malformed("this begins as a JSON object, but is not acceptable JSON: \(error)")
        }
        id = object.id
        if let other = object.otherContent { throw malformed("this JSON object has \"card\", but \(other)") }
        guard let card = object.card else {
            if let other = OtherCredential(object.json) { throw other.failure }
            if InputForm(object.json) == .checkIn {
                throw malformed("this is a SMART Health Check-in, which only \"shcverify verify\" opens")
            }
            // What makes lines of tables leaves out what is missing, or writes null.
            if object.json.members?.allSatisfy({ $0.name == "id" }) == true { return [] }
            throw malformed(DecodedCredential.describe(object.json) ?? "this JSON object has no member \"card\"")
        }
        if card.isNull { return [] }
        guard let text = card.stringBytes else {
            throw malformed("\"card\" must be a string, and here it is of type \(card.kind.rawValue)")
        }
        return text[...]
    }
}
