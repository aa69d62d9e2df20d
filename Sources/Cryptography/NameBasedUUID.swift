internal import CLibraries

/// A UUID that follows from a name in a namespace: version 5 (RFC 9562 §5.5). The same name always has the same UUID.
package struct NameBasedUUID: Sendable, Hashable, Comparable, CustomStringConvertible {
    private let bytes: [UInt8]

    /// A UUID of 16 bytes that is used as a namespace.
    package init(namespace bytes: InlineArray<16, UInt8>) {
        self.bytes = bytes.indices.map { bytes[$0] }
    }

    /// The UUID of a name.
    ///
    /// - Parameters:
    ///   - name: the name, as octets.
    ///   - namespace: the namespace.
    package init(_ name: some Sequence<UInt8>, in namespace: NameBasedUUID) {
        var digest = Self.sha1(namespace.bytes + name)
        digest[6] = digest[6] & 0x0F | 0x50
        digest[8] = digest[8] & 0x3F | 0x80
        bytes = Array(digest.prefix(16))
    }

    /// SHA-1 is what version 5 asks for. Nothing is trusted because of it: it only makes names short.
    private static func sha1(_ message: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 20)
        // Unsafe: OpenSSL reads `count` bytes and writes 20. Both arrays live during the call.
        let isDone = unsafe message.withUnsafeBufferPointer { message in
            unsafe CLibraries.SHA1(message.baseAddress, message.count, &digest) != nil
        }
        // Without a digest, all names would have one UUID. This fails only if OpenSSL itself is broken.
        precondition(isDone, "OpenSSL offers no SHA-1")
        return digest
    }

    /// The UUID in lower case, such as `2807091e-adac-57e9-9f4e-d2d41076b7fc`.
    package var description: String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for (place, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(place) { text.append(UInt8(ascii: "-")) }
            text += [digits[Int(byte >> 4)], digits[Int(byte & 0x0F)]]
        }
        return String(decoding: text, as: UTF8.self)
    }

    package static func < (left: NameBasedUUID, right: NameBasedUUID) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
