import JSON

/// What an input turns out to be. The content decides, never a name.
package enum Artifact {
    /// Whole cards, each a JWS or the reason why it is none.
    case cards(InputKind, [Result<[UInt8], VerificationFailure>])
    /// The lines of QR codes' texts; parts of one card may be spread over several inputs.
    case qr([ArraySlice<UInt8>])

    /// Finds out what the bytes are.
    ///
    /// - Throws: `VerificationFailure` with `malformed-input` if they hold no card at all.
    init(_ bytes: ArraySlice<UInt8>) throws(VerificationFailure) {
        let content = bytes.trimmingWhiteSpace()
        guard let first = content.first else {
            throw Self.noCard("the input is empty")
        }
        if first == UInt8(ascii: "{") {
            self = try Self.json(Array(content))
        } else if QRChunk.isBegin(of: content) {
            self = .qr(try Self.lines(content))
        } else if let form = OtherForm(content) {
            throw Self.noCard(form.words)
        } else if let fragment = Self.fragment(ofURL: content) {
            self = try Self.deepLink(fragment)
        } else if Self.looksLikeJWS(content) {
            self = .cards(.jws, [.success(Array(content))])
        } else {
            throw Self.noCard(Self.describe(content))
        }
    }

    private static func noCard(_ found: String) -> VerificationFailure {
        VerificationFailure(
            .malformedInput,
            "no health card here: expected a .smart-health-card file, a compact JWS, the text of a QR code (shc:/…), "
                + "a FHIR Parameters resource or a deep link; \(found)")
    }

    /// The lines that are not blank.
    private static func lines(_ content: ArraySlice<UInt8>) throws(VerificationFailure) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var rest = content
        while !rest.isEmpty {
            let end = rest.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? rest.endIndex
            let line = rest[..<end].trimmingWhiteSpace()
            rest = rest[end...].dropFirst()
            guard !line.isEmpty else { continue }
            guard lines.count < Bounds.lines else {
                throw VerificationFailure(.malformedQR, "the input has more than \(Bounds.lines) lines of QR codes")
            }
            lines.append(line)
        }
        return lines
    }

    // MARK: JSON

    private static func json(_ content: [UInt8]) throws(VerificationFailure) -> Artifact {
        try checkNumberOfValues(in: content)
        let object: JSONValue
        do throws(JSONError) {
            object = try JSONDocument.parse(content, maximumDepth: Bounds.nesting)
        } catch {
            throw VerificationFailure(
                .malformedInput, "the input begins as a JSON object, but is not acceptable JSON: \(error)")
        }
        let isParameters = object["resourceType"]?.isString("Parameters") == true
        if isParameters, object["verifiableCredential"] != nil {
            throw VerificationFailure(
                .malformedInput,
                "the input is a .smart-health-card file and a FHIR Parameters resource at once, and would be read by some as "
                    + "the one and by others as the other")
        }
        if let credentials = object["verifiableCredential"] { return .cards(.file, try file(credentials)) }
        if isParameters { return .cards(.parameters, try parameters(object)) }
        throw noCard(describe(object))
    }

    private static func checkNumberOfValues(in text: [UInt8]) throws(VerificationFailure) {
        guard !text.holdsMoreJSONValues(than: Bounds.inputValues) else {
            throw VerificationFailure(
                .malformedInput, "the JSON holds more than \(Bounds.inputValues) values; no file of health cards does")
        }
    }

    private static func tooManyCards(_ count: Int) -> VerificationFailure {
        VerificationFailure(
            .malformedInput, "the input holds \(count) cards; at most \(Bounds.cards) are read from one input")
    }

    /// `{"verifiableCredential": [JWS, …]}`
    private static func file(
        _ credentials: JSONValue
    ) throws(VerificationFailure) -> [Result<[UInt8], VerificationFailure>] {
        guard let elements = credentials.elements else {
            throw VerificationFailure(
                .malformedInput,
                "\"verifiableCredential\" is an array of JWS, and here it is of type \(credentials.kind.rawValue)")
        }
        guard elements.count > 0 else {
            throw VerificationFailure(.malformedInput, "the file's \"verifiableCredential\" array holds no card")
        }
        guard elements.count <= Bounds.cards else { throw tooManyCards(elements.count) }
        return elements.map { Self.jws($0, in: "verifiableCredential") }
    }

    /// `{"resourceType": "Parameters", "parameter": [{"name": "verifiableCredential", "valueString": JWS}, …]}`
    private static func parameters(
        _ resource: JSONValue
    ) throws(VerificationFailure) -> [Result<[UInt8], VerificationFailure>] {
        let cards = (resource["parameter"]?.elements).map { elements in
            elements.filter { $0["name"]?.isString("verifiableCredential") == true }
        }
        guard let cards, !cards.isEmpty else {
            throw VerificationFailure(
                .malformedInput, "the FHIR Parameters resource has no parameter named \"verifiableCredential\"")
        }
        guard cards.count <= Bounds.cards else { throw tooManyCards(cards.count) }
        return cards.map { parameter in
            guard let value = parameter["valueString"] else {
                return .failure(
                    VerificationFailure(.malformedInput, "the parameter \"verifiableCredential\" has no valueString"))
            }
            return jws(value, in: "valueString")
        }
    }

    private static func jws(_ value: JSONValue, in member: String) -> Result<[UInt8], VerificationFailure> {
        guard let text = value.stringBytes else {
            return .failure(
                VerificationFailure(
                    .malformedInput,
                    "each \"\(member)\" is a string that holds a JWS, and here it is of type \(value.kind.rawValue)"))
        }
        return .success(text)
    }

    // MARK: Deep links

    /// The fragment of a URL; empty if it has none; nil if the content is no URL.
    private static func fragment(ofURL content: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let colon = content.prefix(32).firstIndex(of: UInt8(ascii: ":")),
            content[colon...].starts(with: "://".utf8), content.startIndex < colon,
            content[content.startIndex..<colon].allSatisfy({ (0x61...0x7A).contains($0 | 0x20) })
        else { return nil }
        guard let hash = content.firstIndex(of: UInt8(ascii: "#")) else { return [] }
        return content[(hash + 1)...]
    }

    /// The fragment is the file's JSON, percent-encoded or as it is.
    private static func deepLink(_ fragment: ArraySlice<UInt8>) throws(VerificationFailure) -> Artifact {
        guard !fragment.isEmpty else {
            throw noCard("this is a URL without a fragment, which holds no card: save what is there and name the file")
        }
        var problem = "it is not percent-encoded"
        for isEncoded in [false, true] {
            guard isEncoded || fragment.first == UInt8(ascii: "{"),
                let candidate = isEncoded ? percentDecoded(fragment) : Array(fragment)
            else { continue }
            try checkNumberOfValues(in: candidate)
            let object: JSONValue
            do throws(JSONError) {
                object = try JSONDocument.parse(candidate, maximumDepth: Bounds.nesting)
            } catch {
                problem = "\(error)"
                continue
            }
            guard let credentials = object["verifiableCredential"] else { throw noCard(describe(object)) }
            return .cards(.deeplink, try file(credentials))
        }
        throw VerificationFailure(
            .malformedInput, "a deep link's fragment is the card file's JSON, and here it is not: \(problem)")
    }

    package static func percentDecoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(text.count)
        var here = text.startIndex
        while here < text.endIndex {
            guard text[here] == UInt8(ascii: "%") else {
                decoded.append(text[here])
                here += 1
                continue
            }
            guard here + 2 < text.endIndex, let high = hexValue(text[here + 1]), let low = hexValue(text[here + 2])
            else { return nil }
            decoded.append(high << 4 | low)
            here += 3
        }
        return decoded
    }

    private static func hexValue(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46, 0x61...0x66: (digit | 0x20) - 0x61 + 10
        default: nil
        }
    }

    // MARK: Recognition

    /// A JWS that is a little wrong is still to be called a JWS, so that the message says what is wrong with it.
    private static func looksLikeJWS(_ content: ArraySlice<UInt8>) -> Bool {
        if content.starts(with: "eyJ".utf8) { return true }
        return content.contains(UInt8(ascii: ".")) && content.contains { $0 != UInt8(ascii: ".") }
            && content.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                    UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
                    true
                default: false
                }
            }
    }

    private static func describe(_ object: JSONValue) -> String {
        if let type = object["resourceType"]?.string {
            return "this is a bare FHIR \(type.quoted(upTo: 64)) resource, which nobody has signed"
        }
        if object["vc"] != nil { return "this is the payload of a card, which nobody has signed" }
        if object["keys"] != nil { return "this is a key set" }
        if object["payload"] != nil {
            return "this looks like a JWS in JSON serialization; cards use the compact serialization"
        }
        return "this JSON object has no member \"verifiableCredential\""
    }

    private static func describe(_ content: ArraySlice<UInt8>) -> String {
        if content.starts(with: "<".utf8) { return "this is XML, SVG or HTML; pictures are not read" }
        if content.starts(with: "\"".utf8) || content.starts(with: "[".utf8) {
            return "this is JSON, but not an object"
        }
        return "this is none of them"
    }
}
