import CLibraries

/// Inflates streams of one format, one after another: raw DEFLATE (RFC 1951, without zlib or gzip wrapper) or zlib's
/// format (RFC 1950). Each has a limit on the size of its result.
///
/// An inflater takes about 40 KiB of memory and a few microseconds to make, so use one for many streams. No state is
/// kept from one stream to the next, even if one fails.
@safe
package final class Inflater {
    // Safe: allocated and initialised in `init`, and at the same address until `deinit`. zlib requires that, because
    // its state points back to this structure. The pointers to buffers are set for one call and are null otherwise.
    private let stream: UnsafeMutablePointer<z_stream>
    private let format: Format
    /// Space for the result of most streams, so that the result's length is known before its array is made. Old content
    /// is never read: only the bytes that zlib has just written are copied.
    private var room: [UInt8]

    /// Most cards' payloads inflate to less than this.
    private static let roomSize = 16 << 10

    /// The format of streams. Only one is accepted, and a stream of another one is an error.
    package enum Format: Equatable, Sendable {
        /// DEFLATE without a wrapper (RFC 1951).
        case raw
        /// DEFLATE in zlib's format (RFC 1950), with any size of window. zlib checks the Adler-32 of the result.
        /// Streams that need a preset dictionary are not accepted.
        case zlib

        /// What zlib takes for the size of the window, which is at most 15 bits. A negative number means raw DEFLATE,
        /// and a number above 15 would let gzip in.
        fileprivate var windowBits: Int32 {
            switch self {
            case .raw: -15
            case .zlib: 15
            }
        }
    }

    /// Makes an inflater.
    ///
    /// - Parameter format: the format of all its streams.
    /// - Throws: `InflateError` with the reason `outOfMemory`.
    package init(_ format: Format = .raw) throws(InflateError) {
        // Unsafe: allocated here. Freed in `deinit`, or here if initialisation fails.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let status = unsafe inflateInit2_(
            stream, format.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else {
            // There is no memory. No test can provoke that.
            unsafe stream.deallocate()
            throw InflateError(.outOfMemory, format)
        }
        unsafe self.stream = stream
        self.format = format
        room = [UInt8](repeating: 0, count: Self.roomSize)
    }

    deinit {
        // Unsafe: the only place that frees zlib's state and the structure that it points to.
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Inflates one stream that takes up the whole input.
    ///
    /// - Parameters:
    ///   - input: the whole stream.
    ///   - maximumSize: the largest result, in bytes. The memory used is at most about twice that, however large the
    ///     stream would inflate to.
    /// - Returns: the whole result.
    /// - Throws: `InflateError` if the stream is incomplete, invalid or too large. No part of its result is returned
    ///   then.
    package func inflate(_ input: [UInt8], maximumSize: Int) throws(InflateError) -> [UInt8] {
        guard !input.isEmpty else { throw InflateError(.empty, format) }
        // Unsafe: the state was made in `init`. The reset drops the stream and its window.
        defer { unsafe _ = inflateReset(stream) }
        do throws(InflateError) {
            return try inflateStream(input, maximumSize: max(maximumSize, 0))
        } catch {
            switch error.reason {
            case .corrupt, .truncated, .trailingBytes:
                throw InflateError.hint(about: input, expected: format, maximumSize: maximumSize) ?? error
            default: throw error
            }
        }
    }

    private func inflateStream(_ input: [UInt8], maximumSize: Int) throws(InflateError) -> [UInt8] {
        // With space for one more byte, a stream that ends at the limit can be told from a longer one.
        let capacity = maximumSize == .max ? maximumSize : maximumSize + 1
        let (status, consumed, produced, _) = step(
            input, from: 0, into: &room, from: 0, upTo: capacity, isWhole: true)
        if status == Z_STREAM_END, consumed == input.count, produced <= maximumSize { return Array(room[..<produced]) }
        // Otherwise start again, to find the error or to make more space.
        unsafe _ = inflateReset(stream)
        return try inflateLargeStream(input, maximumSize: maximumSize, capacity: capacity)
    }

    private func inflateLargeStream(
        _ input: [UInt8], maximumSize: Int, capacity: Int
    ) throws(InflateError) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: min(capacity, max(4096, min(input.count, capacity / 4) * 4)))
        var consumed = 0
        var produced = 0
        while true {
            let step = step(input, from: consumed, into: &output, from: produced)
            consumed += step.consumed
            produced += step.produced
            guard produced <= maximumSize else { throw InflateError(.tooLarge(limit: maximumSize), format) }
            switch step.status {
            case Z_STREAM_END:
                guard consumed == input.count else {
                    throw InflateError(.trailingBytes(input.count - consumed), format)
                }
                output.removeLast(output.count - produced)
                return output
            case Z_OK where produced == output.count:
                output.append(contentsOf: repeatElement(0, count: min(output.count, capacity - output.count)))
            case Z_OK where step.isLimited:
                // Only an input or a result of 4 GiB or more comes here, so no test does.
                continue
            case Z_OK, Z_BUF_ERROR:
                // There is space left, so zlib needs more input, but there is none.
                throw InflateError(.truncated, format)
            case Z_MEM_ERROR:
                // There is no memory. No test can provoke that.
                throw InflateError(.outOfMemory, format)
            case Z_NEED_DICT:
                // Only zlib's format says so.
                throw InflateError(.presetDictionary, format)
            default:
                throw InflateError(.corrupt(words), format)
            }
        }
    }

    /// Lets zlib run until the input or the space is used up, or the stream ends.
    ///
    /// - Parameter isWhole: whether the stream is expected to end in this step. Then zlib need not copy its output to
    ///   the window.
    private func step(
        _ input: [UInt8], from consumed: Int, into output: inout [UInt8], from produced: Int,
        upTo capacity: Int = .max, isWhole: Bool = false
    ) -> (status: Int32, consumed: Int, produced: Int, isLimited: Bool) {
        let available = UInt32(clamping: input.count - consumed)
        let room = UInt32(clamping: min(output.count, capacity) - produced)
        // Unsafe: zlib reads `available` bytes after `consumed` and writes up to `room` bytes after `produced`. Both
        // are inside the arrays, which live during the call. zlib declares the input pointer as not const for
        // historical reasons, but does not write to it.
        let status = unsafe input.withUnsafeBufferPointer { input in
            unsafe output.withUnsafeMutableBufferPointer { output in
                unsafe stream.pointee.next_in = UnsafeMutablePointer(
                    mutating: input.baseAddress.map { unsafe $0 + consumed })
                unsafe stream.pointee.avail_in = available
                unsafe stream.pointee.next_out = output.baseAddress.map { unsafe $0 + produced }
                unsafe stream.pointee.avail_out = room
                return unsafe CLibraries.inflate(stream, isWhole ? Z_FINISH : Z_NO_FLUSH)
            }
        }
        // Unsafe: plain assignments. The buffers are only valid inside the closures, so zlib must not keep pointers to
        // them.
        defer {
            unsafe stream.pointee.next_in = nil
            unsafe stream.pointee.avail_in = 0
            unsafe stream.pointee.next_out = nil
            unsafe stream.pointee.avail_out = 0
        }
        let read = unsafe Int(available - stream.pointee.avail_in)
        let written = unsafe Int(room - stream.pointee.avail_out)
        // zlib counts in 32 bits. If a count reached that limit, there may be more input or space than zlib was told
        // of.
        let isLimited = read == Int(UInt32.max) || written == Int(UInt32.max)
        return (status, read, written, isLimited)
    }

    /// zlib's message about the last error of the stream.
    private var words: String {
        // Unsafe: null, or one of zlib's own constant strings.
        guard let message = unsafe stream.pointee.msg else { return "unknown error" }
        return unsafe String(cString: message)
    }
}

extension Inflater {
    /// Inflates a stream. If it is not in this inflater's format, inflates what it seems to be instead.
    ///
    /// - Parameters:
    ///   - input: the whole stream.
    ///   - limit: the largest result, in bytes.
    ///   - raw: inflates raw DEFLATE.
    /// - Returns: the result, nil if there is none; and what is wrong with the stream, nil if nothing is.
    package func inflateDespiteErrors(
        _ input: [UInt8], maximumSize limit: Int, raw: Inflater
    ) -> (result: [UInt8]?, error: InflateError?) {
        do throws(InflateError) {
            return (try inflate(input, maximumSize: limit), nil)
        } catch {
            let inside: [UInt8]? =
                switch error.reason {
                case .rawDeflate: try? raw.inflate(input, maximumSize: limit)
                // Two bytes before the stream and a checksum of four after it (RFC 1950 §2.2).
                case .zlibWrapper: try? raw.inflate(Array(input.dropFirst(2).dropLast(4)), maximumSize: limit)
                // Ten bytes before it if there is no file name, and eight after it (RFC 1952 §2.3).
                case .gzipWrapper: try? raw.inflate(Array(input.dropFirst(10).dropLast(8)), maximumSize: limit)
                case .notCompressed: input.count <= limit ? input : nil
                case .trailingBytes(let count): try? inflate(input.dropLast(count), maximumSize: limit)
                default: nil
                }
            return (inside, error)
        }
    }
}

/// Compresses bytes: those that wait in memory, and those that are signed for tests. What others wrote is read by `Inflater`.
package enum Deflater {
    /// What matters more.
    package enum Aim: Sendable {
        case quick, small

        fileprivate var level: Int32 { self == .quick ? Z_BEST_SPEED : Z_BEST_COMPRESSION }
    }

    /// Puts bytes into zlib's format (RFC 1950).
    ///
    /// - Returns: the stream; nil if there is not enough memory for it.
    package static func deflate(_ bytes: [UInt8], _ aim: Aim = .quick) -> [UInt8]? {
        guard let length = uLong(exactly: bytes.count) else { return nil }
        // Unsafe: zlib writes at most `capacity` bytes, which is the size of the buffer, and says how many they are.
        return unsafe bytes.withUnsafeBufferPointer { input in
            let capacity = compressBound(length)
            var written = capacity
            var status = Z_MEM_ERROR
            let stream = unsafe [UInt8](unsafeUninitializedCapacity: Int(capacity)) { output, count in
                unsafe status = compress2(output.baseAddress, &written, input.baseAddress, length, aim.level)
                count = status == Z_OK ? Int(written) : 0
            }
            // A copy takes no more room than it needs.
            return status == Z_OK ? Array(stream[...]) : nil
        }
    }
}

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
        /// The bytes begin like a JSON object or, if zlib's format was expected, like COSE_Sign1 (RFC 9052 §4.2).
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
