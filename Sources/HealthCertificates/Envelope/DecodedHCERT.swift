package import Credentials
package import Cryptography
package import Encodings
import Inputs

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
