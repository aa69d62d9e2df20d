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
