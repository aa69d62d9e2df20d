import Credentials
import Encodings
import FHIR
import SMARTHealthCards

/// A payload, from a JWS or as an input of its own.
final class PayloadSubject: Sendable {
    let document: Document
    let json: JSONReading
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
    var value: JSONValue? { json.value }
    /// The issuer, or why its URL is not valid; nil if `iss` is not a string.
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
        _ json: JSONReading, source: String, card: Int? = nil, in input: (bytes: [UInt8], offset: Int)? = nil,
        settings: LintSettings
    ) {
        self.json = json
        self.settings = settings
        let value = json.value
        document = Document(
            source: source, card: card, layer: .payload, text: json.text, root: value, in: input)
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

    /// Whether there are several types in `vc.type`, or one that says what the records are.
    private static func haveFurther(_ types: [JSONValue]) -> Bool {
        types.count > 1 || types.contains { type in CardTopic.allCases.contains { type.isString($0.type) } }
    }
}
