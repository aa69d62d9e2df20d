import Bytes
package import Credentials
package import JSON

/// The cards in an input.
package enum Artifact {
    /// Complete cards. Each is a JWS, or the reason why it cannot be read.
    case cards(InputForm, [Result<[UInt8], VerificationFailure>])
    /// The texts of QR codes, one per line. The parts of one card may be spread over several inputs.
    case qr([ArraySlice<UInt8>])

    /// Recognises an input and finds the cards in it.
    ///
    /// - Throws: `VerificationFailure` with `malformed-input` if the input contains no card, or `malformed-qr` if it has too
    ///   many lines.
    init(_ bytes: ArraySlice<UInt8>) throws(VerificationFailure) {
        let content = bytes.trimmingWhiteSpace()
        guard let first = content.first else {
            throw Self.noCard("the input is empty")
        }
        if first == UInt8(ascii: "{") {
            self = try Self.json(Array(content))
            return
        }
        switch InputForm(content) {
        case .qr:
            let (lines, isCut) = QRCodeText.lines(of: content)
            guard !isCut else {
                throw VerificationFailure(.malformedQR, "the input has more than \(Bounds.lines) lines of QR codes")
            }
            self = .qr(lines)
        case .deeplink: self = try Self.deepLink(content)
        case let form?:
            if let advice = form.advice { throw Self.noCard(advice) }
            self = .cards(form, [.success(Array(content))])
        case nil: throw Self.noCard(Self.describe(content))
        }
    }

    private static func noCard(_ found: String) -> VerificationFailure {
        VerificationFailure(
            .malformedInput,
            "no health card found: \(found); expected a .smart-health-card file, a compact JWS, the text of a QR code (shc:/…), "
                + "a FHIR Parameters resource or a deep link")
    }

    // MARK: JSON

    private static func json(_ content: [UInt8]) throws(VerificationFailure) -> Artifact {
        guard !content.holdsMoreJSONValues(than: Bounds.inputValues) else { throw tooManyValues }
        let object: JSONValue
        do throws(JSONError) {
            object = try JSONDocument.parse(content, maximumDepth: Bounds.nesting)
        } catch {
            throw VerificationFailure(
                .malformedInput, "the input begins as a JSON object, but is not acceptable JSON: \(error)")
        }
        switch InputForm(object) {
        case .file?:
            guard object["resourceType"]?.isString("Parameters") != true else {
                throw VerificationFailure(
                    .malformedInput,
                    "the input is a .smart-health-card file and a FHIR Parameters resource at once, so two programs could "
                        + "read different cards from it")
            }
            return .cards(.file, try file(object))
        case .parameters?: return .cards(.parameters, try parameters(object))
        default: throw noCard(describe(object))
        }
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
    /// - Returns: one element for each credential, which is nil if a parameter has no `valueString`; nil if there is no array.
    package static func credentials(in object: JSONValue, of form: InputForm) -> [JSONValue?]? {
        guard form == .parameters else { return object["verifiableCredential"]?.elements.map { Array($0) } }
        return object["parameter"]?.elements.map { elements in
            elements.filter { $0["name"]?.isString("verifiableCredential") == true }.map { $0["valueString"] }
        }
    }

    private static func file(_ object: JSONValue) throws(VerificationFailure) -> [Result<[UInt8], VerificationFailure>]
    {
        guard let credentials = credentials(in: object, of: .file) else {
            let type = object["verifiableCredential"]?.kind.rawValue ?? ""
            throw VerificationFailure(
                .malformedInput, "\"verifiableCredential\" must be an array of JWS, but its type is \(type)")
        }
        guard !credentials.isEmpty else {
            throw VerificationFailure(.malformedInput, "the file's \"verifiableCredential\" array is empty")
        }
        return try cards(credentials, in: "verifiableCredential")
    }

    private static func parameters(
        _ resource: JSONValue
    ) throws(VerificationFailure) -> [Result<[UInt8], VerificationFailure>] {
        guard let credentials = credentials(in: resource, of: .parameters), !credentials.isEmpty else {
            throw VerificationFailure(
                .malformedInput, "the FHIR Parameters resource has no parameter named \"verifiableCredential\"")
        }
        return try cards(credentials, in: "valueString")
    }

    private static func cards(
        _ credentials: [JSONValue?], in member: String
    ) throws(VerificationFailure) -> [Result<[UInt8], VerificationFailure>] {
        guard credentials.count <= Bounds.cards else { throw tooManyCards(credentials.count) }
        return credentials.map { value in
            guard let value else {
                return .failure(
                    VerificationFailure(.malformedInput, "the parameter \"verifiableCredential\" has no valueString"))
            }
            return jws(value, in: member)
        }
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

    // MARK: Deep links

    private static func deepLink(_ content: ArraySlice<UInt8>) throws(VerificationFailure) -> Artifact {
        switch DeepLink(content).file {
        case nil:
            throw noCard(
                "this is a URL without a fragment, so it contains no card: download the file from there, and give that")
        case .failure(.tooManyValues)?: throw tooManyValues
        case .failure(let defect)?:
            throw VerificationFailure(
                .malformedInput, "the fragment of a deep link must be the JSON of a card file, but it is not: \(defect)"
            )
        case .success(let object)?:
            guard InputForm(object) == .file else { throw noCard(describe(object)) }
            return .cards(.deeplink, try file(object))
        }
    }

    // MARK: Words

    private static func describe(_ object: JSONValue) -> String {
        if let type = object["resourceType"]?.string {
            return "this is a FHIR \(type.quoted(upTo: 64)) resource without a signature"
        }
        if object["vc"] != nil { return "this is the payload of a card without a signature" }
        if object["keys"] != nil { return "this is a key set" }
        if object["payload"] != nil {
            return "this looks like a JWS in JSON serialization, but cards use the compact serialization"
        }
        return "this JSON object has no member \"verifiableCredential\""
    }

    private static func describe(_ content: ArraySlice<UInt8>) -> String {
        if content.starts(with: "<".utf8) { return "this is XML, SVG or HTML, which is not read" }
        if content.starts(with: "\"".utf8) || content.starts(with: "[".utf8) {
            return "this is JSON, but not an object"
        }
        return "this is none of these"
    }
}
