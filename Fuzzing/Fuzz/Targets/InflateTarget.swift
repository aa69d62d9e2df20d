import CZlib
import Deflate

/// The inflater, beside zlib with all the room at once.
enum InflateTarget: FuzzTarget {
    static let name = "inflate"

    private static let largest = 256 << 10

    static func run(_ bytes: [UInt8]) {
        guard let inflater = try? Inflater() else { return }
        let expected = whole(bytes)
        // The second time round shows whether something was left of the first.
        for limit in [largest, expected.map(\.count) ?? 100, max((expected?.count ?? 0) - 1, 0), largest] {
            do throws(InflateError) {
                require(try inflater.inflate(bytes, maximumSize: limit) == expected, "zlib inflates the same")
                require((expected?.count ?? 0) <= limit, "the limit is kept")
            } catch {
                require(expected == nil || expected.map { $0.count > limit } == true, "what zlib inflates is accepted")
                require(!error.description.isEmpty, "an error has words")
            }
        }
    }

    /// The stream's bytes; nil if it is not whole, something follows, or it is longer than the largest limit.
    private static func whole(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        guard !bytes.isEmpty,
            inflateInit2_(&stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { inflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: largest + 1)
        let status = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                return inflate(&stream, Z_FINISH)
            }
        }
        let count = output.count - Int(stream.avail_out)
        guard status == Z_STREAM_END, stream.avail_in == 0, count <= largest else { return nil }
        return Array(output[..<count])
    }
}
