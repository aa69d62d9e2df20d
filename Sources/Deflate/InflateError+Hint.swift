extension InflateError {
    /// The error that says what bytes, which failed to inflate, look like; nil if they look like nothing known.
    ///
    /// Any of these beginnings can also be that of raw DEFLATE, so this is asked only after it failed.
    static func hint(about input: [UInt8]) -> InflateError? {
        if input.count >= 2 {
            let header = Int(input[0]) << 8 | Int(input[1])
            // RFC 1950 §2.2: the method is 8 with a window of 32 KiB, and the two bytes are a multiple of 31.
            if input[0] == 0x78, header.isMultiple(of: 31) { return InflateError(.zlibWrapper) }
            if header == 0x1F8B { return InflateError(.gzipWrapper) }
        }
        let text = input.starts(with: [0xEF, 0xBB, 0xBF]) ? input.dropFirst(3) : input[...]
        let first = text.first { !(" \t\r\n".utf8.contains($0)) }
        return first == UInt8(ascii: "{") ? InflateError(.notCompressed) : nil
    }
}
