package import Credentials
package import Encodings

/// The cards in the strings of JSON that is itself of no form with cards: a wallet pass, the answer of a server, a test file.
///
/// A string counts only if all of it is the text of a credential, a card file, or something in which `WrappedText` finds one. So does what
/// is attached to a FHIR resource as a card file. All of them are judged, each once. Links and pictures are named, and not opened.
package struct CardSearch {
    /// The texts, each an input of its own, and what is to be said of each.
    package private(set) var found: [(text: [UInt8], warnings: [CredentialWarning])] = []

    /// What else there is, in words: the first of it, and how much.
    private var others: [String] = []
    private var otherCount = 0
    /// The texts that were found. A JWS and the digits of its code are the same.
    private var known: Set<[UInt8]> = []
    private var place = JSONPlace()

    /// How deep JSON may be nested in strings of JSON. Each level takes time in proportion to the whole text.
    private static let mostLevels = 3
    private static let data = UTF8Text("data")
    /// Digits, and texts of other credentials, that are shorter may be anything.
    private static let shortest = 40

    /// Searches JSON.
    package init(_ value: JSONValue) {
        search(value, Self.mostLevels)
        guard !found.isEmpty, !others.isEmpty else { return }
        found[0].warnings.add(.otherTextSkipped, "the JSON also holds \(otherWords), which was not read")
    }

    /// Searches a JSON array.
    ///
    /// - Returns: nil if a text is no acceptable array.
    package init?(array text: ArraySlice<UInt8>) {
        guard text.first == UInt8(ascii: "["), let value = try? DeepLink.parsed(Array(text)).get() else { return nil }
        self.init(value)
    }

    /// What there is that may hold a card and is not read, in words; empty if there is nothing.
    var otherWords: String { others.joined(separator: ", ") + (otherCount > others.count ? ", …" : "") }

    private mutating func search(_ value: JSONValue, _ levels: Int) {
        if let elements = value.elements {
            for (index, element) in elements.enumerated() { search(element, levels, at: .element(index)) }
        } else if let members = value.members {
            let file = Self.attachedFile(in: value)
            if let file { look(at: file, levels, isCard: true) }
            for (name, member) in members where file == nil || name != Self.data {
                search(member, levels, at: .member(name))
            }
        } else if let text = value.stringBytes {
            look(at: text, levels)
        }
    }

    private mutating func search(_ value: JSONValue, _ levels: Int, at step: JSONPlace.Step) {
        // An input with so many is cut off.
        guard found.count <= Bounds.cards else { return }
        place.steps.append(step)
        search(value, levels)
        place.steps.removeLast()
    }

    /// The content of a FHIR Attachment that claims to be a card file; nil for other objects. What is not base64 may be the text of a
    /// card all the same.
    static func attachedFile(in value: JSONValue) -> [UInt8]? {
        guard let type = value["contentType"]?.string, MediaType(type).isHealthCard,
            let data = value["data"], !data.isNull, !data.isString("")
        else { return nil }
        let text = data.stringBytes ?? Array(data.rawBytes)
        // FHIR allows white space in base64.
        return Base64.decodeInAnyAlphabet(text.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) ?? text
    }

    /// Looks at a string or an attached file.
    ///
    /// - Parameter isCard: whether it claims to be a card.
    private mutating func look(at bytes: [UInt8], _ levels: Int, isCard: Bool = false) {
        let scanned = ScannedText(bytes)
        let text = scanned.content[...].trimmingByteOrderMarks()
        if let first = text.first, "{[".utf8.contains(first) {
            guard levels > 0 else { return note("more JSON") }
            guard let value = try? DeepLink.parsed(Array(text)).get() else {
                // Another program may read cards from JSON that is not acceptable.
                if isCard || CredentialContent(text: Array(text)).kind == .cards { return add(text, scanned.warnings) }
                return note("JSON that is not acceptable")
            }
            guard isCard || CardParameters.namesCards(value) else { return search(value, levels - 1) }
            add(file: text, scanned.warnings)
        } else if isCard || Self.isCredential(text) {
            add(text, scanned.warnings)
        } else if let other = Self.other(text) {
            note(other)
        } else if text.count >= Self.shortest {
            look(around: text, scanned.warnings)
        }
    }

    /// Looks at other text. What is refused if it is an input itself is judged here too; a sentence is only named.
    private mutating func look(around text: ArraySlice<UInt8>, _ warnings: [CredentialWarning]) {
        let hasLines = text.contains { $0 == 0x0A || $0 == 0x0D }
        if hasLines || InputForm.isURL(text), CredentialContent(text: Array(text)).isCredential {
            add(text, warnings)
        } else if InputForm.begins(text, with: "data:"), CredentialTraces.are(in: text) {
            add(text, warnings)
        } else if text.contains(0x20), CredentialTraces.are(in: text) {
            note("text in which a card may stand")
        }
    }

    private mutating func note(_ other: String) {
        otherCount += 1
        if others.count < 4 { others.append("\(other) (\(place.words))") }
    }

    /// Adds the cards in a card file, or the file if it is refused.
    private mutating func add(file text: ArraySlice<UInt8>, _ warnings: [CredentialWarning]) {
        guard case .cards(_, let cards)? = try? InputContent(Recognition(text)),
            case let texts = cards.compactMap({ try? $0.get() }), !texts.isEmpty, texts.count == cards.count
        else { return add(text, warnings) }
        for card in texts { add(card[...], warnings) }
    }

    private mutating func add(_ text: ArraySlice<UInt8>, _ warnings: [CredentialWarning]) {
        let card = CredentialReader.card(wholeCode: text, source: "")
        guard known.insert((try? card?.text.get()) ?? Array(text)).inserted else { return }
        var all: [CredentialWarning] = []
        all.add(.textWasInside, "the text stood in JSON, at \(place.words), and was taken from there")
        found.append((Array(text), all + warnings))
    }

    private static func isCredential(_ text: ArraySlice<UInt8>) -> Bool {
        if InputForm.isCard(text) { return !isOtherToken(text) }
        if InputForm.certificatePrefix(text).map({ KnownPrefixes.certificates[$0] != nil }) ?? false { return true }
        return text.count >= shortest && (InputContent.isDigitsOfCard(text) || OtherCredential(text) != nil)
    }

    /// Whether a text is a JWS that is surely no card, such as an access token: its header does not say that the payload is compressed.
    private static func isOtherToken(_ text: ArraySlice<UInt8>) -> Bool {
        let part = text.prefix { $0 != UInt8(ascii: ".") }
        guard part.count <= Bounds.headerSize, let bytes = try? Base64URL.decode(part) else { return false }
        let header = try? JSONDocument.parse(bytes, maximumDepth: Bounds.nesting)
        return header?.kind == .object && header?["zip"] == nil
    }

    /// What a string is that may hold a card, but is not opened; nil for other strings.
    private static func other(_ text: ArraySlice<UInt8>) -> String? {
        if SMARTHealthLinkText.begins(text) { return InputForm.link.words }
        return InputForm.isCard(text) ? "a token that is no card" : InputForm.scanned(text)?.words
    }
}
