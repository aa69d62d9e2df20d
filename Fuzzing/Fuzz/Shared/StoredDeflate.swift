/// DEFLATE without compression (RFC 1951 §3.2.4).
enum StoredDeflate {
    static func stream(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = []
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(0xFFFF)
            rest = rest.dropFirst(block.count)
            let count = UInt16(block.count)
            stream.append(rest.isEmpty ? 1 : 0)
            for number in [count, ~count] { stream += [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)] }
            stream += block
        } while !rest.isEmpty
        return stream
    }
}
