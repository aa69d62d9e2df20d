internal import CZlib

/// Compresses bytes that wait in memory, and gives them back. What others wrote is read by `Inflater`.
package enum Deflater {
    /// Puts bytes into zlib's format (RFC 1950), quickly rather than small.
    ///
    /// - Returns: the stream; nil if there is not enough memory for it.
    package static func deflate(_ bytes: [UInt8]) -> [UInt8]? {
        guard let length = uLong(exactly: bytes.count) else { return nil }
        // Unsafe: zlib writes at most `capacity` bytes, which is the size of the buffer, and says how many they are.
        return unsafe bytes.withUnsafeBufferPointer { input in
            let capacity = compressBound(length)
            var written = capacity
            var status = Z_MEM_ERROR
            let stream = unsafe [UInt8](unsafeUninitializedCapacity: Int(capacity)) { output, count in
                unsafe status = compress2(output.baseAddress, &written, input.baseAddress, length, Z_BEST_SPEED)
                count = status == Z_OK ? Int(written) : 0
            }
            // A copy takes no more room than it needs.
            return status == Z_OK ? Array(stream[...]) : nil
        }
    }
}
