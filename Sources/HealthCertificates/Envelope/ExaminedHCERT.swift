package import Credentials
package import Cryptography
package import Encodings
package import FHIR
import Inputs

/// A presented certificate after its form was examined.
///
/// If the form is correct, it contains the certificate to verify. If not, it contains the failure and what could be read.
package final class ExaminedHCERT: ExaminedCredential {
    /// The certificate as it was presented.
    package let presented: PresentedCredential
    /// The decoded certificate; nil if it cannot be decoded.
    package let decoded: DecodedHCERT?
    /// The certificate, or the first error in its form.
    package let form: Result<UnverifiedHCERT, VerificationFailure>
    /// The number of bytes to subtract from a budget for inflated payloads.
    package let spentSize: Int

    /// Examines a certificate's form.
    ///
    /// - Parameters:
    ///   - presented: the certificate.
    ///   - inflater: inflates zlib streams.
    ///   - maximumSize: the largest size of the inflated octets, in bytes.
    package init(_ presented: PresentedCredential, inflater: Inflater, maximumSize: Int = Bounds.payloadSize) {
        self.presented = presented
        var spent = 0
        do throws(VerificationFailure) {
            let decoded = try DecodedHCERT(
                presented.text.get(), inflater: inflater, maximumSize: maximumSize, spent: &spent)
            self.decoded = decoded
            form = Result { () throws(VerificationFailure) in try UnverifiedHCERT(decoded) }
        } catch {
            decoded = nil
            form = .failure(error)
        }
        spentSize = spent
    }

    /// The size of the octets after inflating, in bytes. In memory, a certificate takes several times this size.
    package var size: Int { decoded?.octets.count ?? 0 }
}

/// If the form is correct, the claims are those of the examined certificate, else those that can be read leniently.
extension ExaminedHCERT: Claims {
    package var claims: (any Claims)? { decoded == nil ? nil : self }
    package var sourceType: String { kind.sourceType }

    /// The kind of the content; that of EU certificates if it is not known.
    package var kind: HealthContentKind { decoded?.content?.kind ?? DCC.kind }
    package var trustWithoutKey: IssuerTrust { .untrusted }
    package var signed: SignedOctets? {
        decoded.map { SignedOctets(octets: $0.message.parts.signedBytes, envelope: Array($0.octets), form: .cose) }
    }

    private var unverified: UnverifiedHCERT? { try? form.get() }
    private var payload: CBORValue? { decoded?.payload }

    /// Claim 1, as it stands.
    package var issuer: UTF8Text? {
        unverified?.claims.issuer ?? payload?[CWTClaims.Claim.issuer]?.text.map { UTF8Text(decoding: $0) }
    }
    /// The name of the organisation that issued the certificate, of an EU certificate.
    package var issuerName: UTF8Text? { content?.issuerName }
    /// The key ID in base64.
    package var keyID: UTF8Text? { decoded.map { UTF8Text(KeyLabel.text(of: $0.message.keyID)) } }
    package var issued: NumericDate? {
        unverified?.claims.issued ?? payload.flatMap { CWTClaims.lenientDate($0, CWTClaims.Claim.issued) }
    }
    package var expires: NumericDate? {
        unverified?.claims.expires ?? payload.flatMap { CWTClaims.lenientDate($0, CWTClaims.Claim.expires) }
    }
    package var types: [UTF8Text] { [] }
    package var fhirVersion: UTF8Text? { nil }
    package var fhirBundle: JSONValue? { nil }
    /// The content (in claim -260) as JSON; nil for a link, in which the key is.
    package var healthContent: JSONValue? {
        guard let found = decoded?.content, found.kind.isShown else { return nil }
        return found.value.json
    }

    package var storableBundle: JSONValue? { content?.storableBundle }
    package var holderIdentity: [UInt8]? { content?.holderIdentity }

    private var content: (any HealthContent)? { unverified?.content }
    /// The link that the certificate vouches for, if its form is correct; nil if it is of another kind.
    package var link: WrappedLink? { content?.link }

    package func contents(names: CodeNames, at moment: NumericDate) -> CardContents? {
        content?.contents(names: names, at: moment)
    }
}

/// Key IDs in reports and messages.
package enum KeyLabel {
    /// A key ID in base64. A long one is cut.
    package static func text(of keyID: [UInt8]) -> String {
        let shown = 64
        return Base64.encode(keyID.prefix(shown)) + (keyID.count > shown ? "…" : "")
    }

    /// A key ID for messages: as reports show it, in quotes.
    package static func quoted(_ keyID: [UInt8]) -> String { text(of: keyID).quoted() }

    /// Whether a text is a key ID as reports show it, in either alphabet of base64 and with or without padding.
    package static func matches(_ text: String, _ shown: String) -> Bool {
        let plain = { (text: String) in
            Base64URL.inItsAlphabet(Array(text.utf8)).filter { $0 != UInt8(ascii: "=") }
        }
        return plain(text) == plain(shown)
    }
}

/// A certificate that was decoded: the COSE message and its payload. Its claims have not been examined.
package final class DecodedHCERT: Sendable {
    /// The COSE message, with the bytes that are signed.
    package let message: COSESign1
    /// The payload.
    package let payload: CBORValue
    /// The octets of the COSE_Sign1 message, with its tag if it has one, and without that of a CBOR Web Token (61, RFC 8392 §6).
    let octets: ArraySlice<UInt8>
    /// The content that the payload has; nil if it has none of a kind that is verified.
    package let content: FoundContent?

    /// Decodes a certificate.
    ///
    /// - Parameters:
    ///   - bytes: the text of a QR code, or the octets of a CBOR Web Token.
    ///   - inflater: inflates zlib streams.
    ///   - maximumSize: the largest size of the inflated octets, in bytes.
    ///   - spent: set to the number of bytes to subtract from the run's budget for inflated payloads.
    /// - Throws: `VerificationFailure` with exit code 10.
    package init(
        _ bytes: [UInt8], inflater: Inflater, maximumSize: Int, spent: inout Int
    ) throws(VerificationFailure) {
        let text = HCERTText(bytes, inflater: inflater, maximumSize: maximumSize)
        spent = text.spentSize
        let octets = try text.strictOctets()
        self.octets = octets.starts(with: [0xD8, 61]) ? octets.dropFirst(2) : octets[...]
        let parts = try Result { () throws(COSEError) in try COSEParts(octets) }.mapError(Self.failure).get()
        // The kind decides how strictly headers and claims are read, and what is complained about.
        let payload = Result { () throws(CBORError) in try CBORDocument.parse(Array(parts.payload)) }
        let readable = try? payload.get()
        content = readable.flatMap { FoundContent(in: $0) }
        if content == nil, let other = readable.flatMap({ OtherContent.find(in: $0) }) { throw other.failure }
        let isLenient = content?.kind.isLenient == true
        message = try Result { () throws(COSEError) in try COSESign1(parts, allowingTextKeyID: isLenient) }
            .mapError(Self.failure).get()
        self.payload = try payload.mapError { CWTClaims.malformed("the payload is not acceptable CBOR: \($0)") }.get()
    }

    private static func failure(_ error: COSEError) -> VerificationFailure {
        VerificationFailure(
            error.reason == .unsupportedAlgorithm ? .unsupportedAlgorithm : .malformedCOSE, error.description)
    }
}

/// A certificate whose form is correct, before anything in it is verified.
package final class UnverifiedHCERT: Sendable {
    /// The COSE message.
    package let message: COSESign1
    let claims: CWTClaims
    /// The bytes that are signed.
    let signedBytes: [UInt8]
    /// The content.
    package let content: any HealthContent
    /// Harmless deviations from the specification.
    package let warnings: [CredentialWarning]

    /// Examines a decoded certificate.
    ///
    /// - Throws: `VerificationFailure` with `malformed-payload`.
    init(_ decoded: DecodedHCERT) throws(VerificationFailure) {
        message = decoded.message
        signedBytes = message.parts.signedBytes
        claims = try CWTClaims(decoded.payload, with: decoded.content)
        guard let found = decoded.content else {
            throw OtherContent.failure(of: try CWTPayload(decoded.payload, with: nil).content())
        }
        content = try found.kind.read(found.value)
        var warnings: [CredentialWarning] = []
        if message.isAlgorithmUnprotected {
            warnings.add(
                .algorithmUnprotected, "only the unprotected header names the algorithm, which nobody has signed there")
        }
        if message.isKeyIDText {
            warnings.add(.keyIDText, "the key ID (kid) is a text in base64 instead of a byte string")
        }
        self.warnings = warnings + claims.warnings + content.warnings + found.warnings
    }
}

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

extension ExaminedHCERT {
    /// The certificate, decoded as far as possible.
    ///
    /// - Parameters:
    ///   - inflater: inflates zlib streams.
    ///   - raw: inflates raw DEFLATE; nil if there is no memory for that.
    package func inspection(inflater: Inflater, raw: Inflater?) -> CredentialInspection {
        let failure = form.failure
        let message = (try? presented.text.get()).flatMap { bytes in
            HCERTText(
                bytes, inflater: inflater, despiteErrors: raw,
                maximumSize: failure?.code == .payloadTooLarge ? 0 : Bounds.payloadSize
            ).message
        }
        let parts = message.flatMap { try? $0.parts.get() }
        return CredentialInspection(
            presented: presented,
            header: parts.flatMap { Self.json(protected: $0.protected, unprotected: $0.unprotected) },
            payload: parts.flatMap { try? CBORDocument.parse(Array($0.payload)) }?.inspectionJSON,
            signatureLength: parts?.signature.count, failure: failure)
    }

    /// Both headers as JSON.
    private static func json(protected: CBORValue?, unprotected: CBORValue) -> JSONValue? {
        var writer = JSONWriter()
        writer.object { writer in
            writer.name("protected")
            writer.value(protected?.headerJSON)
            writer.name("unprotected")
            writer.value(unprotected.headerJSON)
        }
        return try? JSONDocument.parse(writer.bytes)
    }
}
