/// Why bytes could not be inflated.
public struct InflateError: Error, Equatable, Sendable {
    /// The kind of error. If the bytes are not raw DEFLATE, the wrapper cases and `notCompressed` say what they look like.
    public enum Reason: Equatable, Sendable {
        /// There are no bytes.
        case empty
        /// The bytes end before the end of the stream.
        case truncated
        /// The bytes are not a DEFLATE stream, in zlib's words.
        case corrupt(String)
        /// This many bytes follow the end of the stream.
        case trailingBytes(Int)
        /// The result would be larger than this limit, in bytes.
        case tooLarge(limit: Int)
        /// The bytes begin like zlib's format (RFC 1950).
        case zlibWrapper
        /// The bytes begin like gzip's format (RFC 1952).
        case gzipWrapper
        /// The bytes begin like a JSON object.
        case notCompressed
        /// zlib could not allocate memory.
        case outOfMemory
    }

    /// The kind of error.
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
        case .outOfMemory: "there is not enough memory to inflate the data"
        }
    }
}

extension InflateError {
    /// The error for bytes that failed to inflate, if they look like a known format. Otherwise nil.
    ///
    /// Raw DEFLATE can begin with the same bytes, so use this only after inflating has failed.
    static func hint(about input: [UInt8]) -> InflateError? {
        if input.count >= 2 {
            let header = Int(input[0]) << 8 | Int(input[1])
            // RFC 1950 §2.2: the method is 8 with a window of 32 KiB, and the first two bytes are a multiple of 31.
            if input[0] == 0x78, header.isMultiple(of: 31) { return InflateError(.zlibWrapper) }
            if header == 0x1F8B { return InflateError(.gzipWrapper) }
        }
        let text = input.starts(with: [0xEF, 0xBB, 0xBF]) ? input.dropFirst(3) : input[...]
        let first = text.first { !(" \t\r\n".utf8.contains($0)) }
        return first == UInt8(ascii: "{") ? InflateError(.notCompressed) : nil
    }
}
