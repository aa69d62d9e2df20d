package import Cryptography
import Encodings

/// A text with its signature in the line before it, which is the form of the German list.
package struct SignedText: Sendable {
    /// The signature: ES256, 64 bytes.
    package let signature: [UInt8]
    /// Everything after the first line.
    package let text: [UInt8]

    /// Takes a file apart.
    ///
    /// - Returns: nil if its first line is no signature, or if no JSON object follows.
    package init?(_ bytes: [UInt8]) {
        guard let end = bytes.prefix(256).firstIndex(of: 0x0A) else { return nil }
        let line = bytes[..<end].trimmingWhiteSpace()
        text = Array(bytes[(end + 1)...])
        guard text[...].trimmingWhiteSpace().first == UInt8(ascii: "{"),
            let signature = try? Base64.decode(Array(line)),
            !signature.isEmpty
        else { return nil }
        self.signature = signature
    }

    /// Whether a key has made the signature.
    package func isSigned(by key: P256PublicKey) -> Bool {
        guard let signature = try? ES256Signature(signature) else { return false }
        return key.isValid(signature, for: text[...])
    }
}
