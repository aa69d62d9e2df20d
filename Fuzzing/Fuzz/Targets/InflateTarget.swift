import CLibraries
import Cryptography

/// The inflater, compared with one call of zlib that has enough room for the whole output.
enum InflateTarget: FuzzTarget {
    static let name = "inflate"

    private static let largest = 256 << 10

    static func run(_ bytes: [UInt8]) {
        guard let inflater = try? Inflater() else { return }
        let expected = whole(bytes)
        // The last call repeats the first. It fails if the inflater kept anything from the calls before.
        for limit in [largest, expected.map(\.count) ?? 100, max((expected?.count ?? 0) - 1, 0), largest] {
            do throws(InflateError) {
                require(try inflater.inflate(bytes, maximumSize: limit) == expected, "zlib inflates the same")
                require((expected?.count ?? 0) <= limit, "the output is not longer than the limit")
            } catch {
                require(expected == nil || expected.map { $0.count > limit } == true, "what zlib inflates is accepted")
                require(!error.description.isEmpty, "an error has a description")
            }
        }
    }

    /// The inflated bytes; nil if the stream is incomplete, if something follows it, or if they are more than the largest limit.
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
