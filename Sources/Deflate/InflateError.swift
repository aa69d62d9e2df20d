/// Why bytes could not be inflated.
public struct InflateError: Error, Equatable, Sendable {
    /// What was met. The wrappers and `notCompressed` are what the bytes look like, found out after they turned
    /// out not to be raw DEFLATE.
    public enum Reason: Equatable, Sendable {
        /// There are no bytes.
        case empty
        /// The bytes end before the stream does.
        case truncated
        /// The bytes are not a DEFLATE stream, in zlib's words.
        case corrupt(String)
        /// This many bytes follow the stream's end.
        case trailingBytes(Int)
        /// The result would be longer than the limit, in bytes.
        case tooLarge(limit: Int)
        /// The bytes begin like zlib's format (RFC 1950).
        case zlibWrapper
        /// The bytes begin like gzip's format (RFC 1952).
        case gzipWrapper
        /// The bytes begin like a JSON object.
        case notCompressed
        /// zlib could not have the memory it needs.
        case outOfMemory
    }

    /// What was met.
    public let reason: Reason

    init(_ reason: Reason) {
        self.reason = reason
    }
}

extension InflateError: CustomStringConvertible {
    /// The error in plain words.
    public var description: String {
        switch reason {
        case .empty: "there is nothing to inflate"
        case .truncated: "the compressed data ends too early"
        case .corrupt(let words): "not raw DEFLATE (RFC 1951): \(words)"
        case .trailingBytes(1): "a byte follows the end of the compressed data"
        case .trailingBytes(let count): "\(count) bytes follow the end of the compressed data"
        case .tooLarge(let limit): "the data inflates to more than \(limit) bytes"
        case .zlibWrapper: "the data is wrapped in zlib's format (RFC 1950), expected raw DEFLATE (RFC 1951)"
        case .gzipWrapper: "the data is wrapped in gzip's format (RFC 1952), expected raw DEFLATE (RFC 1951)"
        case .notCompressed: "the data is JSON that was not compressed, expected raw DEFLATE (RFC 1951)"
        case .outOfMemory: "there is no memory to inflate the data"
        }
    }
}
