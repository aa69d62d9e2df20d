import Credentials
import FHIR
import SMARTHealthCards
import StrictJSON

/// A payload, from a JWS or as an input of its own.
final class PayloadSubject: Sendable {
    let document: Document
    /// The payload's JSON, or why it cannot be read.
    let json: Result<JSONValue, JSONError>
    /// The claims of the payload; nil if it is not a JSON object.
    let claims: CardClaims?
    /// The Bundle of the payload; nil if there is none.
    let bundle: BundleSubject?
    /// The records in the payload's Bundle; nil if there is no Bundle, or if `vc.type` says nothing of records. Only the rules of
    /// such types need them, and to read them takes long.
    let contents: CardContents?
    let policy: LintPolicy

    /// The payload; nil if it is not JSON.
    var value: JSONValue? { try? json.get() }
    /// Whether the payload is from a JWS, so that white space in it was signed.
    var isSigned: Bool { document.inputOffset == nil }

    init(
        _ bytes: [UInt8], source: String, card: Int? = nil, in input: (bytes: [UInt8], offset: Int)? = nil,
        policy: LintPolicy
    ) {
        self.policy = policy
        var text = bytes
        var parsed = Self.parse(text)
        if case .failure(let error) = parsed, error.reason == .byteOrderMark {
            // The mark is reported, and lint continues after it.
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
            contents = nil
            return
        }
        let claims = CardClaims(payload: value)
        self.claims = claims
        contents = Self.hasFurtherTypes(value) ? CardContents(claims, names: policy.codeNames) : nil
        let subject = value["vc"]?["credentialSubject"]
        bundle = subject?["fhirBundle"].map { [document] bundle in
            BundleSubject(
                document: document, value: bundle, fhirVersion: subject?["fhirVersion"]?.string, policy: policy)
        }
    }

    /// Whether the payload begins with a byte-order mark.
    let hasByteOrderMark: Bool

    /// Whether `vc.type` has several types, or one that says what the records are.
    private static func hasFurtherTypes(_ payload: JSONValue) -> Bool {
        guard let types = payload["vc"]?["type"]?.elements else { return false }
        return types.count > 1 || types.contains { type in CardTopic.allCases.contains { type.isString($0.type) } }
    }

    private static func parse(_ bytes: [UInt8]) -> Result<JSONValue, JSONError> {
        Result { () throws(JSONError) in try JSONDocument.parse(bytes, maximumDepth: Bounds.nesting) }
    }
}
