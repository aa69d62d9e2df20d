import Cryptography
import Encodings

/// The sum of the beginning of an input: a digest that grows with the input as it is read, so that nothing is read again for it.
///
/// The digest is a chain over chunks of the same size, so it does not depend on how much is added at a time. The sum is a small
/// value, which each block of lines can have.
package struct InputSum: Equatable, Sendable {
    private static let chunkSize = 8 << 10

    /// The number of bytes that the sum is of.
    package private(set) var offset = 0
    /// The digest of all whole chunks; empty if there are none.
    private var chunks: [UInt8] = []
    /// The bytes after the last whole chunk.
    private var rest: [UInt8] = []

    package init() {}

    /// Adds the next bytes.
    package mutating func add(_ bytes: ArraySlice<UInt8>) {
        offset += bytes.count
        var bytes = bytes
        while rest.count + bytes.count >= Self.chunkSize {
            let count = Self.chunkSize - rest.count
            chunks = SHA256.digest(chunks + rest + bytes.prefix(count))
            rest = []
            bytes = bytes.dropFirst(count)
        }
        rest += bytes
    }

    /// The digest of these bytes, in hexadecimal digits.
    package var digest: String { SHA256.digest(chunks + rest).hexadecimal }
}
