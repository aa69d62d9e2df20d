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
    /// What the records in the payload's Bundle are about; nil if there is no Bundle, or if `vc.type` says nothing of records. Only
    /// the rules of such types need it.
    let topics: [RecordTopic]?
    private let settings: LintSettings
    var policy: LintPolicy { settings.policy }

    /// The payload; nil if it is not JSON.
    let value: JSONValue?
    /// The issuer, or why its URL is not valid; nil if `iss` is no string.
    let issuer: Result<Issuer, VerificationFailure>?
    /// `vc`; nil if there is none.
    let credential: JSONValue?
    /// `vc.type`; nil if there is none.
    let type: JSONValue?
    /// The elements of `vc.type`; none if it is not an array.
    let types: [JSONValue]
    /// `vc.credentialSubject`; nil if there is none.
    let credentialSubject: JSONValue?
    /// Whether the payload is from a JWS, so that white space in it was signed.
    var isSigned: Bool { document.inputOffset == nil }

    init(
        _ bytes: [UInt8], source: String, card: Int? = nil, in input: (bytes: [UInt8], offset: Int)? = nil,
        settings: LintSettings
    ) {
        self.settings = settings
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
        self.value = value
        document = Document(
            source: source, card: card, layer: .payload, text: text, root: value,
            in: input.map { ($0.bytes, $0.offset + bytes.count - text.count) })
        guard let value, value.kind == .object else {
            (claims, bundle, topics, issuer) = (nil, nil, nil, nil)
            (credential, type, types, credentialSubject) = (nil, nil, [], nil)
            return
        }
        let claims = CardClaims(payload: value)
        self.claims = claims
        issuer = value["iss"]?.string.map { url in
            Result { () throws(VerificationFailure) in try Issuer(url) }
        }
        let credential = value["vc"]
        self.credential = credential
        type = credential?["type"]
        types = type?.elements.map { Array($0) } ?? []
        topics = Self.haveFurther(types) ? claims.fhirBundle.map { RecordTopic.all(in: $0) } : nil
        let subject = credential?["credentialSubject"]
        credentialSubject = subject
        bundle = subject?["fhirBundle"].map { [document] bundle in
            BundleSubject(
                document: document, value: bundle, fhirVersion: subject?["fhirVersion"]?.string, settings: settings)
        }
    }

    /// Whether the payload begins with a byte-order mark.
    let hasByteOrderMark: Bool

    /// Whether there are several types in `vc.type`, or one that says what the records are.
    private static func haveFurther(_ types: [JSONValue]) -> Bool {
        types.count > 1 || types.contains { type in CardTopic.allCases.contains { type.isString($0.type) } }
    }

    private static func parse(_ bytes: [UInt8]) -> Result<JSONValue, JSONError> {
        Result { () throws(JSONError) in try JSONDocument.parse(bytes, maximumDepth: Bounds.nesting) }
    }
}
