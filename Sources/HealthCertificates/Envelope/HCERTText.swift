import Credentials
package import Cryptography
package import Encodings
import Inputs

/// The two forms in which a certificate is presented, read down to its COSE message: the text of a QR code (`HC1:`), or the octets of
/// the CBOR Web Token, which may be compressed.
package struct HCERTText: Sendable {
    /// The context identifier that begins the text (HCERT §4.2).
    package static let prefix = "HC1:"

    /// Where the base45 begins in the text.
    package let start: Int
    /// Why what follows is not base45, with an offset from `start`; nil if it is.
    package let encodingError: Base45Error?
    /// Why this is not in zlib's format; nil if it is, or need not be. Of text that had to be repaired, nobody knows.
    package let compressionError: InflateError?
    /// The octets of the message; nil if the text cannot be decoded up to them, or if they are too large.
    package let octets: [UInt8]?
    /// The number of bytes to subtract from the run's budget for inflated payloads, also if inflating fails.
    package let spentSize: Int

    private let bytes: [UInt8]
    private let maximumSize: Int

    /// Reads a text or octets.
    ///
    /// - Parameters:
    ///   - bytes: the text without white space around it, or the octets.
    ///   - inflater: inflates zlib streams.
    ///   - raw: inflates raw DEFLATE, and has what is wrong read as far as possible; nil to stop there.
    ///   - maximumSize: the largest size of the inflated octets, in bytes.
    ///   - isText: whether it is text, also without the prefix; nil to find out.
    package init(
        _ bytes: [UInt8], inflater: Inflater, despiteErrors raw: Inflater? = nil, maximumSize: Int, isText: Bool? = nil
    ) {
        (self.bytes, self.maximumSize) = (bytes, maximumSize)
        let hasPrefix = InputForm.begins(bytes[...], with: "hc1:")
        start = hasPrefix ? Self.prefix.utf8.count : 0
        let isText = isText ?? hasPrefix
        guard isText || InputForm.hasZlibHeader(bytes[...]) else {
            (encodingError, compressionError) = (nil, nil)
            octets = bytes.count <= maximumSize ? bytes : nil
            spentSize = octets?.count ?? 0
            return
        }
        let (compressed, encodingError) =
            isText ? Self.decoded(bytes[start...], despiteErrors: raw != nil) : (bytes, nil)
        self.encodingError = encodingError
        guard let compressed else {
            (octets, compressionError, spentSize) = (nil, nil, 0)
            return
        }
        let error: InflateError?
        if let raw {
            (octets, error) = inflater.inflateDespiteErrors(compressed, maximumSize: maximumSize, raw: raw)
        } else {
            let result = Result { () throws(InflateError) in
                try inflater.inflate(compressed, maximumSize: maximumSize)
            }
            (octets, error) = (try? result.get(), result.failure)
        }
        compressionError = encodingError == nil ? error : nil
        // The size that was inflated before an error is not known, so the largest possible size counts.
        let spent = min(maximumSize, compressed.count * Self.maximumInflation) / Self.inflationShare
        spentSize = max(error == nil ? 0 : spent, octets?.count ?? 0)
    }

    /// Decodes base45. If letters are in lower case, it can be decoded as if they were not.
    private static func decoded(_ text: ArraySlice<UInt8>, despiteErrors: Bool) -> ([UInt8]?, Base45Error?) {
        do throws(Base45Error) {
            return (try Base45.decode(text), nil)
        } catch {
            guard despiteErrors, case .character(0x61...0x7A) = error.reason else { return (nil, error) }
            return (try? Base45.decode(text.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }), error)
        }
    }

    /// What happened to a text that is wrong, or what it has lost on its way, in words after what is wrong; nil if nothing is known. A text of this length has each
    /// of the 45 characters, and which of them stood at a place would be a guess.
    package var loss: String? {
        let text = bytes[start...]
        if let octets = Base64.decodeInAnyAlphabet(Array(text)), InputForm.hasZlibHeader(octets[...]) {
            return "; this is base64, and not base45"
        }
        guard start > 0, text.count >= 200 else { return nil }
        guard text.contains(0x20) else {
            let words =
                text.contains(0xA0) ? "its spaces have become no-break spaces" : "it has no space, so all were lost"
            return "; \(words) on the way: scan the code again"
        }
        return text.contains(UInt8(ascii: "+"))
            ? nil : "; it has no plus sign: these have become spaces on the way, as in a URL: scan the code again"
    }

    /// The message; nil if there is none.
    package var message: COSEReading? { octets.map { COSEReading($0) } }

    /// The octets of the message, if nothing is wrong.
    ///
    /// - Throws: `VerificationFailure` with exit code 10 for the first thing that is wrong.
    func strictOctets() throws(VerificationFailure) -> [UInt8] {
        if let error = encodingError {
            // The end of a text that was cut off is often no group of characters.
            let isAtEnd = error.reason == .value && error.offset + 3 >= bytes.count - start
            throw VerificationFailure(
                .malformedQR,
                "the text after \(Self.prefix) is not base45: \(error)\(loss ?? (isAtEnd ? "; was the text cut off?" : ""))"
            )
        }
        if let error = compressionError {
            guard case .tooLarge = error.reason else {
                let guess = loss ?? (error.reason == .truncated ? "; was the text cut off?" : "")
                throw VerificationFailure(.inflateFailed, "the certificate cannot be inflated: \(error)\(guess)")
            }
            throw VerificationFailure(.payloadTooLarge, "the certificate is too large: \(error)")
        }
        guard let octets else {
            throw VerificationFailure(
                .payloadTooLarge, "the certificate is larger than \(maximumSize) bytes, the limit")
        }
        return octets
    }

    /// The largest number of bytes that one byte of DEFLATE can inflate to.
    private static let maximumInflation = 1032
    /// How many times cheaper inflating is than inflating and parsing, with a safety margin.
    private static let inflationShare = 16
}
