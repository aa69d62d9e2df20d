package import Credentials
package import Encodings

/// The cards in an input.
package enum InputContent {
    /// Complete cards. Each is a JWS, or the reason why it cannot be read.
    case cards(InputForm, [Result<[UInt8], VerificationFailure>])
    /// The texts of QR codes, one per line. The parts of one card may be spread over several inputs.
    case qr([ArraySlice<UInt8>])
    /// SMART Health Links, one per line.
    case links([ArraySlice<UInt8>])
    /// A container of this form, whose items are in it.
    case container(InputForm)
    /// The octets of an EU Digital COVID Certificate.
    case token
    /// The texts of cards in JSON of another form.
    case inside(CardSearch)
    /// Texts of different kinds, at least one of them that of an EU Digital COVID Certificate.
    case mixed(CredentialLines)

    /// Finds the cards in an input that was recognised.
    ///
    /// - Throws: `VerificationFailure` with `empty-input` if the input holds nothing, `unsupported-credential` if it is of another
    ///   kind, `malformed-input` if it contains no card, or `malformed-qr` if it has too many lines.
    package init(_ recognition: Recognition) throws(VerificationFailure) {
        let content = recognition.content
        switch recognition.kind {
        case .empty: throw Self.empty
        case .token: self = .token
        case .unsupported(let other): throw other.failure
        case .utf16: throw Self.noCard(Self.describe(content))
        case .json: self = try Self.json(Array(content))
        case .lines(let lines): self = .mixed(lines)
        case .otherKeyboard, .fileNames, .unknown:
            guard let search = CardSearch(array: content), !search.found.isEmpty else {
                throw Self.noCredential(in: content)
            }
            self = .inside(search)
        case .text(let form): self = try Self.text(content, of: form)
        }
    }

    private static func text(
        _ content: ArraySlice<UInt8>, of form: InputForm
    ) throws(VerificationFailure) -> InputContent {
        switch form {
        case .qr:
            let (lines, isCut) = QRCodeText.lines(of: content)
            guard !isCut else {
                throw VerificationFailure(.malformedQR, "the input has more than \(Bounds.lines) lines of QR codes")
            }
            return .qr(lines)
        case .deeplink: return try deepLink(content)
        case .link:
            let (lines, isCut) = QRCodeText.lines(of: content)
            guard !isCut else {
                throw VerificationFailure(.malformedLink, "the input has more than \(Bounds.links) links")
            }
            return .links(lines)
        default:
            if form.isContainer { return .container(form) }
            if let advice = form.advice { throw noCard(advice) }
            if isLinesOfJWS(content) { return .cards(form, [.failure(linesOfJWS(content))]) }
            if let bytes = try? Base64URL.decode(content), let value = try? JSONDocument.parse(bytes, maximumDepth: 32),
                isPayloadOfLink(value)
            {
                throw VerificationFailure(
                    .malformedLink,
                    "this is a SMART Health Link without its beginning: scan the code again, or put shlink:/ before it")
            }
            return .cards(form, [.success(Array(content))])
        }
    }

    /// The failure of an input that holds nothing.
    package static let empty = VerificationFailure(
        .emptyInput, "the input is empty: scan the code again, or ask for the original file")

    /// The failure of an input that holds something else than a credential.
    static func noCard(_ found: String) -> VerificationFailure {
        // What a card can be is said by the explanation of the reason. Here it would be repeated in each line of a log.
        VerificationFailure(.malformedInput, "no health card found: \(found)")
    }

    /// The failure of a text that is no credential that is verified.
    static func noCredential(in content: ArraySlice<UInt8>) -> VerificationFailure {
        if let other = OtherCredential(content) { return other.failure }
        if let words = remedy(for: content) { return VerificationFailure(.malformedInput, words) }
        if let other = OtherCredential(inWordsOf: content) { return other.failureInText }
        return noCard(describe(content))
    }

    // MARK: JSON

    private static func json(_ content: [UInt8]) throws(VerificationFailure) -> InputContent {
        guard !content.holdsMoreJSONValues(than: Bounds.inputValues) else { throw tooManyValues }
        let object: JSONValue
        do throws(JSONError) {
            object = try JSONDocument.parse(content, maximumDepth: Bounds.nesting)
        } catch {
            if error.reason == .trailingBytes, let count = linesOfJSON(content) {
                throw VerificationFailure(
                    .malformedInput,
                    "the input has \(count) lines, each with a JSON object, and only one card or file is taken here: use "
                        + "\"shcverify batch\"")
            }
            // It is refused whatever it is. What it was meant to be only chooses the reason.
            let isCheckIn = [#""smart-health-checkin-response""#, #""org-iso-mdoc""#].contains {
                content.contains(Array($0.utf8))
            }
            throw VerificationFailure(
                isCheckIn ? .malformedCheckIn : .malformedInput,
                "the input begins as a JSON object, but is not acceptable JSON: \(error)")
        }
        switch InputForm(object) {
        case .file?: return .cards(.file, try file(object))
        case .parameters? where CardParameters.namesCards(object): return .cards(.parameters, try parameters(object))
        case let form? where form.isContainer: return .container(form)
        case let form: return try inside(object, of: form)
        }
    }

    /// The cards in JSON that is no form of them. What is named like a card in another place stays refused.
    private static func inside(
        _ object: JSONValue, of form: InputForm?
    ) throws(VerificationFailure) -> InputContent {
        if let other = OtherCredential(object) { throw other.failure }
        guard !CardParameters.namesCards(object) else { throw noCard(describe(object)) }
        let search = CardSearch(object)
        guard search.found.isEmpty else { return .inside(search) }
        if form == .parameters { _ = try parameters(object) }
        let others = search.otherWords
        throw noCard(
            describe(object) + (others.isEmpty ? "" : ". It holds \(others), which is not opened: give that itself"))
    }

    private static var tooManyValues: VerificationFailure {
        VerificationFailure(.malformedInput, "\(DeepLink.Defect.tooManyValues)")
    }

    private static func tooManyCards(_ count: Int) -> VerificationFailure {
        VerificationFailure(
            .malformedInput, "the input contains \(count) cards; at most \(Bounds.cards) are read from one input")
    }

    /// The credentials in a card file `{"verifiableCredential": [JWS, …]}` or in a `Parameters` resource
    /// `{"parameter": [{"name": "verifiableCredential", "valueString": JWS}, …]}`.
    ///
    /// - Returns: the value of each credential that has one; nil if a file has no array.
    package static func credentials(in object: JSONValue, of form: InputForm) -> [JSONValue]? {
        guard form == .parameters else { return object["verifiableCredential"]?.elements.map { Array($0) } }
        return CardParameters(object).parameters.compactMap { parameter in
            if case .card(let value, _) = parameter { value } else { nil }
        }
    }

    /// Whether an object has a member that has the name of a file's list in another case.
    package static func hasListInOtherCase(_ object: JSONValue) -> Bool {
        let name = UTF8Text("verifiableCredential")
        return object.members?.contains { $0.name != name && $0.name.asciiLowercased == name.asciiLowercased } ?? false
    }

    private static func file(_ object: JSONValue) throws(VerificationFailure) -> [Result<[UInt8], VerificationFailure>]
    {
        if let type = object.optional("resourceType") {
            let words = type.isString("Parameters") ? "a FHIR Parameters resource" : "a FHIR resource"
            throw ambiguous("is a .smart-health-card file and \(words) at once")
        }
        guard !hasListInOtherCase(object) else {
            throw ambiguous("has \"verifiableCredential\" twice, in different upper and lower case")
        }
        guard CardParameters(beside: object).parameters.isEmpty else {
            throw ambiguous("has a \"verifiableCredential\" in another member too")
        }
        guard let credentials = credentials(in: object, of: .file) else {
            let type = object["verifiableCredential"]?.kind.rawValue ?? ""
            throw VerificationFailure(
                .malformedInput, "\"verifiableCredential\" must be an array of JWS, but its type is \(type)")
        }
        guard !credentials.isEmpty else {
            throw VerificationFailure(.malformedInput, "the file's \"verifiableCredential\" array is empty")
        }
        guard credentials.count <= Bounds.cards else { throw tooManyCards(credentials.count) }
        return credentials.map { jws($0, in: "verifiableCredential") }
    }

    private static func parameters(
        _ resource: JSONValue
    ) throws(VerificationFailure) -> [Result<[UInt8], VerificationFailure>] {
        let parameters = CardParameters(resource).parameters
        let firstElsewhere: String? =
            if case .misplaced(_, let path)? = parameters.first { path } else { nil }
        guard parameters.contains(where: { if case .misplaced = $0 { false } else { true } }) else {
            let elsewhere = firstElsewhere.map { ", but something of that name in another place (\($0))" } ?? ""
            throw VerificationFailure(
                .malformedInput,
                "the FHIR Parameters resource has no parameter named \"verifiableCredential\"\(elsewhere)")
        }
        guard parameters.count <= Bounds.cards else { throw tooManyCards(parameters.count) }
        return parameters.map { parameter in
            switch parameter {
            case .card(let value?, _): return jws(value, in: "valueString")
            case .card(nil, _):
                return .failure(
                    VerificationFailure(.malformedInput, "the parameter \"verifiableCredential\" has no valueString"))
            case .ambiguous(_, let words):
                return .failure(ambiguous("has a parameter named \"verifiableCredential\" that \(words)"))
            case .misplaced(_, let path):
                return .failure(
                    ambiguous("has a \"verifiableCredential\" in a place that has no parameters (\(path))"))
            }
        }
    }

    /// - Parameter words: what is wrong, in words that follow "the input".
    private static func ambiguous(_ words: String) -> VerificationFailure {
        VerificationFailure(
            .malformedInput, "the input \(words), so two programs could read different cards from it")
    }

    private static func jws(_ value: JSONValue, in member: String) -> Result<[UInt8], VerificationFailure> {
        guard let text = value.stringBytes else {
            return .failure(
                VerificationFailure(
                    .malformedInput,
                    "each \"\(member)\" must be a string with a JWS, but the type here is \(value.kind.rawValue)"))
        }
        return .success(text)
    }

    // MARK: Lines

    /// Whether several lines of a text are each a JWS.
    package static func isLinesOfJWS(_ content: ArraySlice<UInt8>) -> Bool {
        guard content.hasLineBreak else { return false }
        var count = 0
        for line in content.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).prefix(Bounds.lines) {
            let line = line.trimmingWhiteSpace()
            guard InputForm.isJWS(line), line.count(where: { $0 == UInt8(ascii: ".") }) == 2 else { continue }
            count += 1
            if count == 2 { return true }
        }
        return false
    }

    private static func linesOfJWS(_ content: ArraySlice<UInt8>) -> VerificationFailure {
        VerificationFailure(
            .malformedJWS,
            "the input has \(lineCount(content)) lines, each with a card of its own, and only one is taken here: use \"shcverify "
                + "batch\"")
    }

    /// The number of lines that are not empty, in words.
    private static func lineCount(_ content: ArraySlice<UInt8>) -> String {
        let lines = content.split(maxSplits: Bounds.lines) { $0 == 0x0A || $0 == 0x0D }
        let count = lines.prefix(Bounds.lines).count { !$0.trimmingWhiteSpace().isEmpty }
        return lines.count > Bounds.lines ? "more than \(Bounds.lines)" : "\(count)"
    }

    /// The number of lines, in words, if the first two lines begin with a brace; else nil.
    private static func linesOfJSON(_ content: [UInt8]) -> String? {
        let lines = content.split(maxSplits: 2) { $0 == 0x0A || $0 == 0x0D }.prefix(2)
        let isJSON = { (line: ArraySlice<UInt8>) in
            let line = line.trimmingWhiteSpace()
            return line.first == UInt8(ascii: "{") && line.last == UInt8(ascii: "}")
        }
        return lines.count == 2 && lines.allSatisfy(isJSON) ? lineCount(content[...]) : nil
    }

    // MARK: Deep links

    private static func deepLink(_ content: ArraySlice<UInt8>) throws(VerificationFailure) -> InputContent {
        switch DeepLink(content).file {
        case nil:
            if !InputForm.begins(content, with: "http"), let words = InputForm.words(forOther: content) {
                throw noCard("this holds \(words)")
            }
            throw noCard(
                "this is a URL without a fragment, so it contains no card: download the file from there, and give that; if it is the page at "
                    + "which a link is managed, ask for the link itself (shlink:/…)")
        case .failure(.tooManyValues)?: throw tooManyValues
        case .failure(let defect)?:
            throw VerificationFailure(
                .malformedInput, "the fragment of a deep link must be the JSON of a card file, but it is not: \(defect)"
            )
        case .success(let object)?:
            return InputForm(object) == .file
                ? .cards(.deeplink, try file(object)) : try inside(object, of: nil)
        }
    }

    // MARK: Words

    /// What a text with another prefix than that of EU certificates is.
    private static func describe(prefix: String) -> String {
        let kind = KnownPrefixes.certificates[prefix].map { ", which is \($0)," } ?? ""
        return "this begins with \(prefix)\(kind) and not with HC1:, as EU Digital COVID Certificates do"
    }

    /// What a JSON object is that is no card file, and whether something inside is named like a card.
    private static func describe(_ object: JSONValue) -> String {
        switch CardParameters(object).parameters.first {
        case nil: kind(of: object)
        case .misplaced(_, let path)?:
            "\(kind(of: object)). It has a card in another place (\(path)), which is not read"
        case .card?, .ambiguous?: "\(kind(of: object)). It has a card inside, which is not read"
        }
    }

    /// Whether JSON has what only the payload of a SMART Health Link has.
    private static func isPayloadOfLink(_ value: JSONValue) -> Bool {
        value["url"]?.stringBytes != nil && value["key"]?.stringBytes?.count == 43
    }

    private static func kind(of object: JSONValue) -> String {
        if isPayloadOfLink(object) {
            return
                "this is the decoded content of a SMART Health Link: give the link itself, which begins with shlink:/"
        }
        if let type = object["resourceType"]?.string {
            return "this is a FHIR \(type.quoted(upTo: 64)) resource without a signature"
        }
        if object["vc"] != nil { return "this is the payload of a card without a signature" }
        if object["keys"] != nil { return "this is a key set" }
        if let words = DecodedCredential.describe(object) { return words }
        if object["payload"] != nil {
            return "this looks like a JWS in JSON serialization, but cards use the compact serialization"
        }
        return "this JSON object has no member \"verifiableCredential\""
    }

    /// What content is whose form is not known, in words.
    package static func describe(_ content: ArraySlice<UInt8>) -> String {
        if let prefix = InputForm.certificatePrefix(content) { return Self.describe(prefix: prefix) }
        if let words = InputForm.words(forOther: content) { return "this holds \(words)" }
        if FileName.areAll(in: content) { return FileName.words }
        if content.starts(with: "<".utf8) { return "this is XML, SVG or HTML, which is not read" }
        if content.starts(with: "\"".utf8) || content.starts(with: "[".utf8) {
            return "this is JSON, but not an object"
        }
        if let words = remedy(for: content) { return words }
        if isBase45(content) {
            return
                "this looks like an EU Digital COVID Certificate that lacks its beginning: scan the code again, or put HC1: before "
                + "it"
        }
        if InputForm.isUTF16(content) { return "this is text in UTF-16 without a byte-order mark: save it as UTF-8" }
        if isMail(content) { return "this is a mail: save its attachment, and give that" }
        if let beginning = labelledText(in: content) {
            return "something stands before the text of a code, which begins with \(beginning): remove it"
        }
        return "its form is not known"
    }

    /// What is wrong with a text that was scanned, and what to do; nil if that is not known.
    package static func remedy(for content: ArraySlice<UInt8>) -> String? {
        if let prefix = KnownPrefixes.percentEncoded.first(where: { InputForm.begins(content, with: $0) }) {
            let encoded = String(decoding: content.prefix(prefix.utf8.count), as: UTF8.self)
            return
                "this is the text of a code in percent-encoding, as it stands in the URL of a page (it begins with \(encoded)): scan the "
                + "code again, or decode the text"
        }
        if let words = DecodedCredential.describe(content) { return words }
        if content.starts(with: "-----BEGIN ".utf8) {
            return "this is PEM, and no card: an issuer publishes its public key as a JWK in a key set"
        }
        if InputForm.isOfOtherKeyboard(content) {
            return
                "this text was typed by a scanner for another keyboard layout, which changes characters such as : and /: set the "
                + "scanner to the layout of this computer's keyboard (such as German or French), and scan the code again"
        }
        guard isDigitsOfCard(content) else { return nil }
        return
            "these are the digits of a SMART Health Card's QR code without their beginning, shc:/: scan the code again, or put "
            + "shc:/ before the digits"
    }

    /// What a line is that should be the text of a code, and is another one; nil if that is not known.
    package static func failure(ofLine line: ArraySlice<UInt8>) -> VerificationFailure? {
        OtherCredential(line)?.failure ?? remedy(for: line).map { VerificationFailure(.malformedQR, $0) }
    }

    /// Whether a text is that of a card's QR code without its beginning.
    static func isDigitsOfCard(_ content: ArraySlice<UInt8>) -> Bool {
        content.starts(with: "567629".utf8)
            && content.allSatisfy { $0.isDigit || $0 == 0x0A || $0 == 0x0D || $0 == 0x20 }
    }

    /// Whether a text is a mail with an attachment in base64.
    private static func isMail(_ content: ArraySlice<UInt8>) -> Bool {
        let (lines, _) = QRCodeText.lines(of: content)
        let isHeader = { (name: String) in lines.contains { InputForm.begins($0, with: name) } }
        return isHeader("content-transfer-encoding: base64") && isHeader("content-type:")
    }

    /// The beginning of the text of a code that stands somewhere in a single line, but not first; nil if there is none.
    private static func labelledText(in content: ArraySlice<UInt8>) -> String? {
        guard !content.contains(0x0A), !content.contains(0x0D) else { return nil }
        return ["shc:/", "hc1:", "shlink:/"].first { beginning in
            content.indices.dropFirst().prefix(200).contains { InputForm.begins(content[$0...], with: beginning) }
        }.map { $0 == "hc1:" ? "HC1:" : $0 }
    }

    /// Whether this is one long line in the alphabet of base45, as the text of a certificate is after its prefix.
    private static func isBase45(_ content: ArraySlice<UInt8>) -> Bool {
        content.count >= 200 && content.prefix(200).allSatisfy { $0.isOfBase45 }
    }
}
