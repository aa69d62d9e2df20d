internal import COpenSSL

/// SHA-256 (FIPS 180-4).
public enum SHA256 {
    /// How many bytes a digest has.
    public static let digestLength = 32

    /// The digest of the bytes, 32 bytes.
    public static func digest(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        digest(Array(bytes))
    }

    /// The digest of the bytes, 32 bytes.
    public static func digest(_ bytes: [UInt8]) -> [UInt8] { digest(bytes[...]) }

    /// The digest of the bytes, 32 bytes.
    public static func digest(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: digestLength)
        // Unsafe: OpenSSL reads `count` bytes and writes the 32 that SHA-256 has, both arrays live for the call.
        let isDone = unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe COpenSSL.SHA256(bytes.baseAddress, bytes.count, &digest) != nil
        }
        // A digest that was not computed must never be compared with anything, and there is nobody to tell: this
        // happens only where OpenSSL itself is broken.
        precondition(isDone, "OpenSSL offers no SHA-256")
        return digest
    }
}
