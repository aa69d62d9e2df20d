import JSON
import SMARTHealthCards

/// A payload: inflated out of a JWS, or an input that is one.
struct PayloadSubject: Sendable {
    let document: Document
    /// The payload's JSON, or why it is none.
    let json: Result<JSONValue, JSONError>
    /// What the payload says; nil if it is no JSON object.
    let claims: CardClaims?
    /// Its Bundle; nil if there is none.
    let bundle: BundleSubject?
    let policy: LintPolicy

    /// The payload, where it is JSON.
    var value: JSONValue? { try? json.get() }
    /// Whether it was taken out of a JWS: white space in it was signed.
    var isSigned: Bool { document.inputOffset == nil }

    init(
        _ bytes: [UInt8], source: String, card: Int? = nil, in input: (bytes: [UInt8], offset: Int)? = nil,
        policy: LintPolicy
    ) {
        self.policy = policy
        var text = bytes
        var parsed = Self.parse(text)
        if case .failure(let error) = parsed, error.reason == .byteOrderMark {
            // Lint goes on behind it; the error is reported all the same.
            text = Array(bytes.dropFirst(3))
            if let value = try? Self.parse(text).get() { parsed = .success(value) }
            hasByteOrderMark = true
        } else {
            hasByteOrderMark = false
        }
        json = parsed
        let value = try? parsed.get()
        document = Document(
            source: source, card: card, layer: .payload, text: text, root: value,
            in: input.map { ($0.bytes, $0.offset + bytes.count - text.count) })
        guard let value, value.kind == .object else {
            claims = nil
            bundle = nil
            return
        }
        claims = CardClaims(payload: value)
        let subject = value["vc"]?["credentialSubject"]
        bundle = subject?["fhirBundle"].map { [document] bundle in
            BundleSubject(
                document: document, value: bundle, fhirVersion: subject?["fhirVersion"]?.string, policy: policy)
        }
    }

    /// Whether a byte-order mark stood before the JSON.
    let hasByteOrderMark: Bool

    private static func parse(_ bytes: [UInt8]) -> Result<JSONValue, JSONError> {
        Result { () throws(JSONError) in try JSONDocument.parse(bytes, maximumDepth: Bounds.nesting) }
    }
}
