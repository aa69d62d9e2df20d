internal import CLibraries

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
