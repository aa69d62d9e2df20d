package import Credentials
package import Encodings

/// What some content is that may be beside other content: an attachment of a document, the text of a code on it, the file of a link, an
/// artifact of a check-in, or what is attached to a FHIR resource in one of these. All kinds of container ask here, so that content is the
/// same in all of them.
///
/// A forged card must not be passed over because a genuine one is beside it. So all that is judged if it is an input of its
/// own is a credential here too, and so is all that is meant as one, even if it is refused.
package struct CredentialContent: Sendable {
    /// What content is.
    package enum Kind: Sendable, Equatable {
        /// One or several cards, or parts of them.
        case cards
        /// EU Digital COVID Certificates, perhaps with cards among them.
        case certificates
        /// A container of this form. It is opened if it is in a picture or PDF. In another container it is not: nothing is fetched because
        /// of what was fetched, and no two depths multiply.
        case container(InputForm)
        /// A credential of a kind that is known by name, and not verified.
        case unsupported
        /// Something else.
        case other
    }

    /// What it is.
    package let kind: Kind
    /// The content as JSON; nil if it is no JSON that begins with a brace or bracket, or is not acceptable.
    package let json: JSONValue?
    /// Why the JSON of cards is not acceptable, which another program may read all the same; nil if nothing is wrong with it.
    package let defect: DeepLink.Defect?

    /// Recognises content.
    ///
    /// - Parameters:
    ///   - bytes: the whole content, with nothing trimmed.
    ///   - mostValues: the number of JSON values up to which JSON is parsed. It holds for content that is JSON itself.
    package init(_ bytes: [UInt8], mostValues: Int = Bounds.inputValues) {
        self.init(text: ScannedText(bytes).content, mostValues: mostValues)
    }

    /// Recognises content that has nothing of a scanner, a mail or an editor around it.
    init(text bytes: [UInt8], mostValues: Int = Bounds.inputValues) {
        let recognition = Recognition(bytes[...])
        let content = recognition.content
        switch recognition.kind {
        case .token: self.init(.certificates)
        case .unsupported: self.init(.unsupported)
        case _ where content.first == UInt8(ascii: "{") || content.first == UInt8(ascii: "["):
            self.init(json: Array(content), mostValues: mostValues)
        case .lines: self.init(.certificates)
        // The digits of a card without shc:/ are refused as one.
        case _ where InputContent.isDigitsOfCard(content): self.init(.cards)
        case .text(.qr): self.init(.cards)
        // Beside other content, a text that only may be a JWS is none.
        case _ where InputForm.isJWS(content) || Self.hasLineOfCard(content): self.init(.cards)
        case .text(let form) where form == .link || form.isContainer: self.init(.container(form))
        case .text(.deeplink): self.init(DeepLink(content))
        // What only may be a JWS, and what holds texts of its own. Another version of EU certificates, or a national form of them, is
        // refused by name.
        case .empty, .utf16, .json, .otherKeyboard, .fileNames, .unknown, .text(.jws), .text(.hc1), .text(.picture),
            .text(.pdf):
            let isCertificate =
                InputForm.certificatePrefix(content) != nil || InputForm.isBareCertificate(content)
            self.init(isCertificate ? .certificates : .other)
        // A carrier of which nothing is said here must not be passed over.
        case .text: self.init(.cards)
        }
    }

    private init(_ kind: Kind, json: JSONValue? = nil, defect: DeepLink.Defect? = nil) {
        self.kind = kind
        self.json = json
        self.defect = defect
    }

    private init(json text: [UInt8], mostValues: Int) {
        do throws(DeepLink.Defect) {
            let value = try DeepLink.parsed(text, mostValues: mostValues).get()
            let other: Kind =
                OtherCredential(value) != nil
                ? .unsupported : InputForm(value).flatMap { $0.isContainer ? .container($0) : nil } ?? .other
            // A card in FHIR is judged, but the rest is FHIR all the same.
            let mayHold = other == .other && value["resourceType"]?.string == nil
            let isCard = CardParameters.namesCards(value) || mayHold && !CardSearch(value).found.isEmpty
            self.init(isCard ? .cards : other, json: value)
        } catch {
            self.init(unless: error, in: text[...])
        }
    }

    /// A URL with a fragment, which most have not. Of those that have one, few hold cards.
    private init(_ url: DeepLink) {
        switch url.file {
        case nil: self.init(.other)
        case .success(let value)?:
            self.init(CardParameters.namesCards(value) || !CardSearch(value).found.isEmpty ? .cards : .other)
        case .failure(let defect)?:
            let fragment = url.fragment ?? []
            let text = PercentEncoding.decodeWhatIsEncoded(fragment)[...]
            self.init(unless: defect, in: Self.namesCards(text) ? text : fragment)
        }
    }

    /// A text that is not acceptable JSON. If it has the name of cards, another program may read cards from it.
    private init(unless defect: DeepLink.Defect, in text: ArraySlice<UInt8>) {
        let isCard = Self.namesCards(text)
        let listsCards = text.split(separator: UInt8(ascii: "\"")).contains(where: InputForm.isCard)
        self.init(isCard || listsCards ? .cards : .other, defect: isCard ? defect : nil)
    }

    /// Whether there is a line with a card in another text. No form of input has that, so the whole text is refused.
    private static func hasLineOfCard(_ content: ArraySlice<UInt8>) -> Bool {
        guard content.contains(0x0A) || content.contains(0x0D) || content.first == UInt8(ascii: "\"") else {
            return false
        }
        let lines = content.split(maxSplits: Bounds.lines, omittingEmptySubsequences: true) { $0 == 0x0A || $0 == 0x0D }
        return lines.prefix(Bounds.lines).contains {
            InputForm.isCard($0.trimmingWhiteSpace().drop { $0 == UInt8(ascii: "\"") })
        }
    }

    // MARK: What is judged

    /// The credentials in the content, each as an input of its own: the content if it is a credential or is refused as one, and what stands
    /// in a FHIR resource. What is in an attachment that claims to be a card file is judged whatever it is.
    ///
    /// - Parameter bytes: the content.
    package func credentials(in bytes: [UInt8]) -> [[UInt8]] {
        guard let json, json["resourceType"]?.string != nil else { return isCredential ? [bytes] : [] }
        guard isCredential else { return CardSearch(json).found.map(\.text) }
        var found = [bytes]
        Self.addCardFiles(in: json, to: &found)
        return found
    }

    /// Whether the content is a credential, or is refused as one.
    package var isCredential: Bool {
        switch kind {
        case .cards, .certificates, .unsupported: true
        case .container, .other: false
        }
    }

    private static func addCardFiles(in value: JSONValue, to found: inout [[UInt8]]) {
        for element in value.elements.map(Array.init) ?? [] { addCardFiles(in: element, to: &found) }
        for member in value.members.map(Array.init) ?? [] { addCardFiles(in: member.value, to: &found) }
        if let file = CardSearch.attachedFile(in: value) { found.append(file) }
    }

    // MARK: JSON that is not acceptable

    /// Whether a text has the string `verifiableCredential`, or one that begins with the media type of card files, in upper or lower case,
    /// with or without escapes and white space.
    ///
    /// Each quotation mark may begin a string, since nothing else is known of such a text.
    private static func namesCards(_ text: ArraySlice<UInt8>) -> Bool {
        text.indices.contains { place in
            guard text[place] == UInt8(ascii: "\"") else { return false }
            let string = text[(place + 1)...]
            return begins(string, with: CardParameters.name)?.first == UInt8(ascii: "\"")
                || [MediaType.healthCard, MediaType.shortHealthCard].contains { begins(string, with: $0) != nil }
        }
    }

    /// What follows the beginning of a string in JSON; nil if it begins with something else.
    private static func begins(_ string: ArraySlice<UInt8>, with beginning: String) -> ArraySlice<UInt8>? {
        var rest = string
        return beginning.utf8.allSatisfy { next(in: &rest).map { $0 | 0x20 } == $0 | 0x20 } ? rest : nil
    }

    /// Takes the next ASCII character of a JSON string that is not white space; nil if there is another one, or none.
    private static func next(in text: inout ArraySlice<UInt8>) -> UInt8? {
        while let first = text.popFirst() {
            var character = first
            if first == UInt8(ascii: "\\") {
                switch text.popFirst() {
                case UInt8(ascii: "/"): character = UInt8(ascii: "/")
                case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"): continue
                case UInt8(ascii: "u"):
                    let digits = text.prefix(4).map { $0.hexDigitValue }
                    text = text.dropFirst(4)
                    guard digits.count == 4, digits[0] == 0, digits[1] == 0, let high = digits[2], let low = digits[3]
                    else { return nil }
                    character = high << 4 | low
                default: return nil
                }
            }
            if character > 0x20 { return character }
        }
        return nil
    }
}
