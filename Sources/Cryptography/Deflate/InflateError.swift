/// Why bytes could not be inflated.
package struct InflateError: Error, Equatable, Sendable {
    /// The kind of error. If the bytes are not of the expected format, the last cases say what they look like.
    package enum Reason: Equatable, Sendable {
        /// There are no bytes.
        case empty
        /// The bytes end before the end of the stream.
        case truncated
        /// The bytes are not a stream of the expected format, in zlib's words. In zlib's format, "incorrect data check"
        /// means that the result does not have the Adler-32 that the stream states.
        case corrupt(String)
        /// This many bytes follow the end of the stream.
        case trailingBytes(Int)
        /// The result would be larger than this limit, in bytes.
        case tooLarge(limit: Int)
        /// The stream needs a preset dictionary (RFC 1950 §2.2). Only in zlib's format.
        case presetDictionary
        /// zlib could not allocate memory.
        case outOfMemory
        /// The bytes begin like zlib's format (RFC 1950), and raw DEFLATE was expected.
        case zlibWrapper
        /// The bytes begin like gzip's format (RFC 1952).
        case gzipWrapper
        /// The bytes are raw DEFLATE (RFC 1951), and zlib's format was expected.
        case rawDeflate
        /// The bytes begin like a JSON object or, where zlib's format was expected, like COSE_Sign1 (RFC 9052 §4.2).
        case notCompressed
    }

    /// The kind of error.
    package let reason: Reason
    /// The format that was expected.
    package let format: Inflater.Format

    init(_ reason: Reason, _ format: Inflater.Format) {
        self.reason = reason
        self.format = format
    }
}

extension InflateError: CustomStringConvertible {
    /// The error in plain words.
    package var description: String {
        switch reason {
        case .empty: "there is nothing to inflate"
        case .truncated: "the compressed data ends too early"
        case .corrupt(let words): "not \(expected): \(words)"
        case .trailingBytes(1): "a byte follows the end of the compressed data"
        case .trailingBytes(let count): "\(count) bytes follow the end of the compressed data"
        case .tooLarge(let limit): "the data inflates to more than \(limit) bytes"
        case .presetDictionary: "the compressed data needs a preset dictionary, and there is none"
        case .outOfMemory: "there is not enough memory to inflate the data"
        case .zlibWrapper: "the data is wrapped in zlib's format (RFC 1950), expected \(expected)"
        case .gzipWrapper: "the data is wrapped in gzip's format (RFC 1952), expected \(expected)"
        case .rawDeflate: "the data is raw DEFLATE (RFC 1951), expected \(expected)"
        case .notCompressed where format == .raw: "the data is JSON that was not compressed, expected \(expected)"
        case .notCompressed: "the data was not compressed, expected \(expected)"
        }
    }

    private var expected: String {
        switch format {
        case .raw: "raw DEFLATE (RFC 1951)"
        case .zlib: "zlib's format (RFC 1950)"
        }
    }
}

extension InflateError {
    /// The error for bytes that failed to inflate, if they look like a known format. Otherwise nil.
    ///
    /// Streams can begin with the same bytes as other formats, so use this only after inflating has failed.
    ///
    /// - Parameters:
    ///   - expected: the format in which inflating failed.
    ///   - maximumSize: the largest result of inflating.
    static func hint(about input: [UInt8], expected: Inflater.Format, maximumSize: Int) -> InflateError? {
        if input.count >= 2 {
            let header = Int(input[0]) << 8 | Int(input[1])
            if header == 0x1F8B { return InflateError(.gzipWrapper, expected) }
            switch expected {
            case .raw:
                // RFC 1950 §2.2: the method is 8 with a window of 32 KiB, and the first two bytes are a multiple of 31.
                if input[0] == 0x78, header.isMultiple(of: 31) { return InflateError(.zlibWrapper, expected) }
            case .zlib:
                // With a window of another size as well. Then the stream has the expected format and is broken.
                if input[0] & 0x0F == 8, input[0] >> 4 <= 7, header.isMultiple(of: 31) { return nil }
                if isRawDeflate(input, maximumSize: maximumSize) { return InflateError(.rawDeflate, expected) }
                if isCOSE(input) { return InflateError(.notCompressed, expected) }
            }
        }
        let text = input.starts(with: [0xEF, 0xBB, 0xBF]) ? input.dropFirst(3) : input[...]
        let first = text.first { !(" \t\r\n".utf8.contains($0)) }
        return first == UInt8(ascii: "{") ? InflateError(.notCompressed, expected) : nil
    }

    /// Whether the bytes are one whole stream of raw DEFLATE, which has no header that one could look at. The time for
    /// this is bounded as that for the attempt before.
    private static func isRawDeflate(_ input: [UInt8], maximumSize: Int) -> Bool {
        guard let inflater = try? Inflater(.raw) else { return false }
        return (try? inflater.inflate(input, maximumSize: maximumSize)) != nil
    }

    /// Whether the bytes begin with an array of four elements, behind the tags of CWT and COSE_Sign1 or without them
    /// (RFC 9052 §4.2, RFC 8392 §6).
    private static func isCOSE(_ input: [UInt8]) -> Bool {
        var rest = input[...]
        if rest.starts(with: [0xD8, 0x3D]) { rest = rest.dropFirst(2) }
        if rest.first == 0xD2 { rest = rest.dropFirst() }
        return rest.first == 0x84
    }
}
