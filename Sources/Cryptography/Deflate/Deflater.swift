internal import CLibraries

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
