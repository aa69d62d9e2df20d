import CLibraries

/// Makes streams with zlib's own deflate.
enum ZlibStream {
    static let raw: Int32 = -15
    static let zlib: Int32 = 15
    static let gzip: Int32 = 31

    /// Compresses bytes.
    ///
    /// - Parameters:
    ///   - flush: `Z_FINISH`, or `Z_FULL_FLUSH` for a piece that more can follow.
    ///   - dictionary: bytes that the stream may refer to, although it does not contain them.
    static func deflated(
        _ bytes: [UInt8], level: Int32 = 9, format: Int32 = raw, strategy: Int32 = Z_DEFAULT_STRATEGY,
        flush: Int32 = Z_FINISH, dictionary: [UInt8] = []
    ) -> [UInt8] {
        var stream = unsafe z_stream()
        // Unsafe: the stream stays at its address until it is ended. All buffers live during the calls that use them.
        unsafe deflateInit2_(
            &stream, level, Z_DEFLATED, format, 8, strategy, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        defer { unsafe deflateEnd(&stream) }
        if !dictionary.isEmpty { unsafe deflateSetDictionary(&stream, dictionary, UInt32(dictionary.count)) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: Int(unsafe deflateBound(&stream, UInt(bytes.count))) + 64)
        let room = UInt32(output.count)
        unsafe input.withUnsafeMutableBufferPointer { input in
            unsafe output.withUnsafeMutableBufferPointer { output in
                unsafe stream.next_in = input.baseAddress
                unsafe stream.avail_in = UInt32(input.count)
                unsafe stream.next_out = output.baseAddress
                unsafe stream.avail_out = room
                _ = unsafe CLibraries.deflate(&stream, flush)
            }
        }
        output.removeLast(unsafe Int(stream.avail_out))
        return output
    }
}
