package import Credentials
package import Cryptography
package import Encodings

/// The COSE message of a certificate, read as far as possible: a broken part does not hide the others.
///
/// A verdict needs only the first defect, at which `DecodedHCERT` stops. `lint` and `inspect` show this.
package struct COSEReading: Sendable {
    /// The message in CBOR.
    package let octets: [UInt8]
    /// The four parts of the message, or why it has not even these.
    package let parts: Result<COSEParts, COSEError>
    /// The algorithm and whether only the unprotected header names it, or what is wrong with it; nil if there are no parts.
    package let algorithm: Result<(SignatureAlgorithm, isUnprotected: Bool), COSEError>?
    /// The key ID and whether it is a text, or what is wrong with it; nil if there are no parts.
    package let namedKey: Result<([UInt8], isText: Bool), COSEError>?
    /// The claims in the payload, or why it cannot have any; nil if there are no parts.
    package let claims: Result<CWTReading, VerificationFailure>?

    /// Reads the octets of a message.
    package init(_ octets: [UInt8]) {
        self.octets = octets
        parts = Result { () throws(COSEError) in try COSEParts(octets) }
        guard let parts = try? parts.get() else {
            (algorithm, namedKey, claims) = (nil, nil, nil)
            return
        }
        algorithm = Result { () throws(COSEError) in try parts.algorithm() }
        let claims = Result { () throws(VerificationFailure) in try CWTReading(Array(parts.payload)) }
        let isLenient = (try? claims.get())?.found?.kind.isLenient == true
        namedKey = Result { () throws(COSEError) in try parts.keyID(allowingText: isLenient) }
        self.claims = claims
    }
}

/// The claims of a CBOR Web Token with a health certificate, each by itself: its value, or what is wrong with it.
package struct CWTReading: Sendable {
    package typealias Claim<T> = Result<T, VerificationFailure>

    package let map: CBORValue
    package let payload: CWTPayload
    /// The content that the claims have; nil if it is of no kind that is verified.
    package let found: FoundContent?
    /// What a certificate of a known kind that is not verified says of itself; nil if it is none.
    package let unsupported: String?
    /// The issuer; nil inside if there is none.
    package let issuer: Claim<UTF8Text?>
    package let issued: Claim<NumericDate>
    /// Nil inside if it is not there, and need not be.
    package let expires: Claim<NumericDate?>
    package let notBefore: Claim<NumericDate?>
    /// The value of `hcert`.
    package let container: Claim<CBORValue>
    /// The content in `hcert`; nil if there is no `hcert`, or if it is of a kind that is not verified.
    package let content: Claim<CBORValue>?

    /// Reads the bytes of a payload.
    ///
    /// - Throws: `VerificationFailure` with `malformed-payload` if there is no map with claims.
    init(_ bytes: [UInt8]) throws(VerificationFailure) {
        let map = try Result { () throws(CBORError) in try CBORDocument.parse(bytes) }
            .mapError { CWTClaims.malformed("the payload is not acceptable CBOR: \($0)") }.get()
        let found = FoundContent(in: map)
        let payload = try CWTPayload(map, with: found)
        (self.map, self.payload, self.found) = (map, payload, found)
        unsupported = OtherContent.failure(in: map)?.message
        issuer = Result { () throws(VerificationFailure) in try payload.issuer() }
        issued = Result { () throws(VerificationFailure) in try payload.issued() }
        expires = Result { () throws(VerificationFailure) in try payload.expires() }
        notBefore = Result { () throws(VerificationFailure) in try payload.notBefore() }
        let container = Result { () throws(VerificationFailure) in try payload.content() }
        self.container = container
        content =
            unsupported != nil
            ? nil
            : (try? container.get()).map { container in
                Result { () throws(VerificationFailure) in
                    guard let found else { throw OtherContent.failure(of: container) }
                    return found.kind.number == DCC.kind.number ? try DCC.map(found.value) : found.value
                }
            }
    }
}
