package import Credentials
package import Encodings

/// The claims of a payload, read leniently: a member that is missing or has the wrong type is nil.
///
/// Claims are not verified facts. Reports also show them for a card that failed, so that its holder learns why.
package struct CardClaims: Claims {
    /// The payload.
    package let payload: JSONValue

    /// Reads the claims of a payload.
    package init(payload: JSONValue) {
        self.payload = payload
    }

    /// The issuer's URL (`iss`).
    package var issuer: UTF8Text? { payload["iss"]?.string }
    /// Always nil: the JWS header names the key, not the payload.
    package var keyID: UTF8Text? { nil }
    /// When the card was issued (`nbf`).
    package var issued: NumericDate? { payload["nbf"]?.number.flatMap { NumericDate($0) } }
    /// When the card expires (`exp`).
    package var expires: NumericDate? { payload["exp"]?.number.flatMap { NumericDate($0) } }
    /// The strings in `vc.type`.
    package var types: [UTF8Text] { credential?["type"]?.elements?.compactMap(\.string) ?? [] }
    /// The identifier of the card in revocation lists (`vc.rid`).
    package var revocationID: UTF8Text? { credential?["rid"]?.string }
    /// The FHIR version (`vc.credentialSubject.fhirVersion`).
    package var fhirVersion: UTF8Text? { subject?["fhirVersion"]?.string }
    /// The FHIR Bundle (`vc.credentialSubject.fhirBundle`); nil if it is not an object.
    package var fhirBundle: JSONValue? {
        subject?["fhirBundle"].flatMap { $0.kind == .object ? $0 : nil }
    }

    private var credential: JSONValue? { payload["vc"] }
    private var subject: JSONValue? { credential?["credentialSubject"] }
}
