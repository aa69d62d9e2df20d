import Bytes
package import Credentials
package import Deflate
import Inputs

/// The two forms in which a certificate is presented: the text of a QR code (`HC1:`), or the octets of the CBOR Web Token.
package enum HCERTText {
    /// The context identifier that begins the text (HCERT §4.2).
    package static let prefix = "HC1:"

    /// The octets of the COSE message in a text or in raw octets.
    ///
    /// - Parameters:
    ///   - bytes: the text with its prefix and without white space around it, or the octets of a CBOR Web Token, which may be
    ///     compressed.
    ///   - inflater: inflates zlib streams.
    ///   - maximumSize: the largest size of the inflated octets, in bytes.
    ///   - spent: set to the number of bytes to subtract from the run's budget for inflated payloads, also if inflating fails.
    /// - Throws: `VerificationFailure` with exit code 10.
    package static func message(
        in bytes: [UInt8], inflater: Inflater, maximumSize: Int, spent: inout Int
    ) throws(VerificationFailure) -> [UInt8] {
        guard InputForm.begins(bytes[...], with: "hc1:") else {
            guard isZlib(bytes[...]) else {
                guard bytes.count <= maximumSize else { throw tooLarge(maximumSize) }
                spent = bytes.count
                return bytes
            }
            return try inflated(bytes, inflater: inflater, maximumSize: maximumSize, spent: &spent)
        }
        let compressed: [UInt8]
        do throws(Base45Error) {
            compressed = try Base45.decode(bytes.dropFirst(prefix.utf8.count))
        } catch {
            // The end of a text that was cut off is often no group of characters.
            let isAtEnd = error.reason == .value && error.offset + 3 >= bytes.count - prefix.utf8.count
            throw VerificationFailure(
                .malformedQR,
                "the text after \(prefix) is not base45: \(error)\(isAtEnd ? "; was the text cut off?" : "")")
        }
        return try inflated(compressed, inflater: inflater, maximumSize: maximumSize, spent: &spent)
    }

    /// Whether bytes begin with the header of a zlib stream (RFC 1950 §2.2): method 8, a window of at most 32 KiB, and a number
    /// that 31 divides. No item of CBOR begins like this, except for the array and tag heads that `InputForm` knows.
    package static func isZlib(_ bytes: ArraySlice<UInt8>) -> Bool { InputForm.hasZlibHeader(bytes) }

    private static func inflated(
        _ compressed: [UInt8], inflater: Inflater, maximumSize: Int, spent: inout Int
    ) throws(VerificationFailure) -> [UInt8] {
        do throws(InflateError) {
            let message = try inflater.inflate(compressed, maximumSize: maximumSize)
            spent = message.count
            return message
        } catch {
            spent = spentSize(ofBroken: compressed, maximumSize: maximumSize)
            guard case .tooLarge = error.reason else {
                let guess = error.reason == .truncated ? "; was the text cut off?" : ""
                throw VerificationFailure(.inflateFailed, "the certificate cannot be inflated: \(error)\(guess)")
            }
            throw VerificationFailure(.payloadTooLarge, "the certificate is too large: \(error)")
        }
    }

    /// The number of bytes to subtract from a run's budget for a stream that could not be inflated. The size that was inflated
    /// before the error is not known, so the largest possible size counts.
    package static func spentSize(ofBroken compressed: [UInt8], maximumSize: Int) -> Int {
        min(maximumSize, compressed.count * maximumInflation) / inflationShare
    }

    private static func tooLarge(_ limit: Int) -> VerificationFailure {
        VerificationFailure(.payloadTooLarge, "the certificate is larger than \(limit) bytes, the limit")
    }

    /// The largest number of bytes that one byte of DEFLATE can inflate to.
    private static let maximumInflation = 1032
    /// How many times cheaper inflating is than inflating and parsing, with a safety margin.
    private static let inflationShare = 16
}
