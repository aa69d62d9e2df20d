internal import CZlib

/// Inflates raw DEFLATE streams (RFC 1951, no zlib or gzip wrapper), one after another, each with a bound on
/// its length.
///
/// An inflater costs some 40 KiB of memory and a few microseconds to make, so a caller with many streams uses
/// one for all. Nothing of a stream is left for the next, whether it was inflated or failed.
@safe
public final class Inflater {
    // Safe: allocated and initialised in `init`, and at the same address until `deinit`, as zlib demands, whose state
    // points back at it. Its pointers to buffers are set for the length of one call and are null in between.
    private let stream: UnsafeMutablePointer<z_stream>
    /// Room for what most streams inflate to, so that its length is known before the result is made. What it held before
    /// is never read: a result is made of the bytes that zlib has just written.
    private var room: [UInt8]

    /// How much most cards' payloads stay below.
    private static let roomSize = 16 << 10

    /// Makes an inflater.
    ///
    /// - Throws: `InflateError` with the reason `outOfMemory`.
    public init() throws(InflateError) {
        // Unsafe: allocated here, freed in `deinit`, or here where there will be none.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        // 15 bits of window, negative for raw DEFLATE.
        let status = unsafe inflateInit2_(stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else {
            // Memory has run out: that cannot be provoked in a test.
            unsafe stream.deallocate()
            throw InflateError(.outOfMemory)
        }
        unsafe self.stream = stream
        room = [UInt8](repeating: 0, count: Self.roomSize)
    }

    deinit {
        // Unsafe: the only free, of zlib's state and then of the memory that it points back at.
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Inflates one stream that fills the input.
    ///
    /// - Parameters:
    ///   - input: the stream, from its first byte to its last.
    ///   - maximumSize: how many bytes the result may have. No more memory than about twice that is used, whatever the
    ///     stream would inflate to.
    /// - Returns: the whole result.
    /// - Throws: `InflateError`. Nothing is returned of a stream that is not whole and sound.
    public func inflate(_ input: [UInt8], maximumSize: Int) throws(InflateError) -> [UInt8] {
        guard !input.isEmpty else { throw InflateError(.empty) }
        // Unsafe: the state is that of `init`. Resetting forgets the stream, also its window.
        defer { unsafe _ = inflateReset(stream) }
        do throws(InflateError) {
            return try inflateStream(input, maximumSize: max(maximumSize, 0))
        } catch {
            switch error.reason {
            case .corrupt, .truncated, .trailingBytes: throw InflateError.hint(about: input) ?? error
            default: throw error
            }
        }
    }

    private func inflateStream(_ input: [UInt8], maximumSize: Int) throws(InflateError) -> [UInt8] {
        // One byte of room more than allowed: a stream that ends at the limit can say so, one that goes on shows.
        let capacity = maximumSize == .max ? maximumSize : maximumSize + 1
        let (status, consumed, produced, _) = step(
            input, from: 0, into: &room, from: 0, upTo: capacity, isWhole: true)
        if status == Z_STREAM_END, consumed == input.count, produced <= maximumSize { return Array(room[..<produced]) }
        // Anything else is for the thorough way, from the start.
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
            guard produced <= maximumSize else { throw InflateError(.tooLarge(limit: maximumSize)) }
            switch step.status {
            case Z_STREAM_END:
                guard consumed == input.count else { throw InflateError(.trailingBytes(input.count - consumed)) }
                output.removeLast(output.count - produced)
                return output
            case Z_OK where produced == output.count:
                output.append(contentsOf: repeatElement(0, count: min(output.count, capacity - output.count)))
            case Z_OK where step.isLimited:
                // Takes an input or a result of 4 GiB, so no test comes here.
                continue
            case Z_OK, Z_BUF_ERROR:
                // There is room, so it is input that zlib lacks, and there is no more.
                throw InflateError(.truncated)
            case Z_MEM_ERROR:
                // Nor here: a test cannot have memory run out.
                throw InflateError(.outOfMemory)
            default:
                throw InflateError(.corrupt(words))
            }
        }
    }

    /// Lets zlib go on until input or room is used up, or the stream ends.
    ///
    /// - Parameter isWhole: whether the stream is expected to end here. zlib then keeps no copy of what it has written.
    private func step(
        _ input: [UInt8], from consumed: Int, into output: inout [UInt8], from produced: Int,
        upTo capacity: Int = .max, isWhole: Bool = false
    ) -> (status: Int32, consumed: Int, produced: Int, isLimited: Bool) {
        let available = UInt32(clamping: input.count - consumed)
        let room = UInt32(clamping: min(output.count, capacity) - produced)
        // Unsafe: zlib reads `available` bytes after `consumed` and writes up to `room` after `produced`, both inside
        // the arrays, which live for the call. That its pointer to input is not const is history; it writes nothing there.
        let status = unsafe input.withUnsafeBufferPointer { input in
            unsafe output.withUnsafeMutableBufferPointer { output in
                unsafe stream.pointee.next_in = UnsafeMutablePointer(
                    mutating: input.baseAddress.map { unsafe $0 + consumed })
                unsafe stream.pointee.avail_in = available
                unsafe stream.pointee.next_out = output.baseAddress.map { unsafe $0 + produced }
                unsafe stream.pointee.avail_out = room
                return unsafe CZlib.inflate(stream, isWhole ? Z_FINISH : Z_NO_FLUSH)
            }
        }
        // Unsafe: plain stores. The buffers are gone once the closures have returned, so zlib must not know them.
        defer {
            unsafe stream.pointee.next_in = nil
            unsafe stream.pointee.avail_in = 0
            unsafe stream.pointee.next_out = nil
            unsafe stream.pointee.avail_out = 0
        }
        let read = unsafe Int(available - stream.pointee.avail_in)
        let written = unsafe Int(room - stream.pointee.avail_out)
        // zlib counts in 32 bits. Where it went as far as these reach, there may be more input, or room, than it knows.
        let isLimited = read == Int(UInt32.max) || written == Int(UInt32.max)
        return (status, read, written, isLimited)
    }

    /// zlib's words about the stream's last error.
    private var words: String {
        // Unsafe: null, or one of zlib's own constant strings.
        guard let message = unsafe stream.pointee.msg else { return "unknown error" }
        return unsafe String(cString: message)
    }
}
