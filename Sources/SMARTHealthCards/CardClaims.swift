public import JSON

/// What a payload says, read leniently: every member that is missing or of the wrong type is nil.
///
/// Claims are not facts. They are shown for a card that failed, so that its holder can be told why.
public struct CardClaims: Sendable {
    /// The payload.
    public let payload: JSONValue

    package init(payload: JSONValue) {
        self.payload = payload
    }

    /// The `iss` member.
    public var issuer: UTF8Text? { payload["iss"]?.string }
    /// The `nbf` member: when the card was issued.
    public var issued: NumericDate? { payload["nbf"]?.number.flatMap { NumericDate($0) } }
    /// The `exp` member: when the card ceases to be valid.
    public var expires: NumericDate? { payload["exp"]?.number.flatMap { NumericDate($0) } }
    /// The strings among `vc.type`.
    public var types: [UTF8Text] { credential?["type"]?.elements?.compactMap(\.string) ?? [] }
    /// The `vc.rid` member: what a revocation list names the card by.
    public var revocationID: UTF8Text? { credential?["rid"]?.string }
    /// The version of FHIR.
    public var fhirVersion: UTF8Text? { subject?["fhirVersion"]?.string }
    /// The FHIR Bundle, where it is an object.
    public var fhirBundle: JSONValue? {
        subject?["fhirBundle"].flatMap { $0.kind == .object ? $0 : nil }
    }

    private var credential: JSONValue? { payload["vc"] }
    private var subject: JSONValue? { credential?["credentialSubject"] }
}
