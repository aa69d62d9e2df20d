package import CBOR
package import COSE
package import Credentials
package import Deflate
import Inputs
import StrictJSON

/// A certificate that was decoded: the COSE message and its payload. Its claims have not been examined.
package final class DecodedHCERT: Sendable {
    /// The COSE message, with the bytes that are signed.
    package let message: COSESign1
    /// The payload.
    package let payload: CBORValue
    /// The octets of the COSE_Sign1 message, with its tag if it has one, and without that of a CBOR Web Token (61, RFC 8392 §6).
    let octets: ArraySlice<UInt8>

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
        let octets = try HCERTText.message(
            in: bytes, inflater: inflater, maximumSize: maximumSize, spent: &spent)
        self.octets = octets.starts(with: [0xD8, 61]) ? octets.dropFirst(2) : octets[...]
        do throws(COSEError) {
            message = try COSESign1(octets)
        } catch {
            if let parts = try? COSEParts(octets), let payload = try? CBORDocument.parse(Array(parts.payload)),
                let other = DCC.otherContent(in: payload)
            {
                throw other.failure
            }
            throw VerificationFailure(
                error.reason == .unsupportedAlgorithm ? .unsupportedAlgorithm : .malformedCOSE, error.description)
        }
        do throws(CBORError) {
            payload = try CBORDocument.parse(Array(message.payload))
        } catch {
            throw VerificationFailure(.malformedPayload, "the payload is not acceptable CBOR: \(error)")
        }
    }
}

/// A certificate whose form is correct, before anything in it is verified.
package struct UnverifiedHCERT: Sendable {
    /// The COSE message.
    package let message: COSESign1
    let claims: CWTClaims
    /// The bytes that are signed.
    let signedBytes: [UInt8]
    /// The person and the record.
    package let content: DCC
    /// Harmless deviations from the specification.
    let warnings: [CredentialWarning]

    /// Examines a decoded certificate.
    ///
    /// - Throws: `VerificationFailure` with `unsupported-credential` or `malformed-payload`.
    init(_ decoded: DecodedHCERT) throws(VerificationFailure) {
        message = decoded.message
        signedBytes = message.signedBytes
        if let other = DCC.otherContent(in: decoded.payload) { throw other.failure }
        claims = try CWTClaims(decoded.payload)
        content = try DCC(in: claims.content)
        var warnings: [CredentialWarning] = []
        if message.isAlgorithmUnprotected {
            warnings.append(
                CredentialWarning(
                    .algorithmUnprotected,
                    "only the unprotected header names the algorithm, which nobody has signed there"))
        }
        self.warnings = warnings + content.warnings
    }
}
