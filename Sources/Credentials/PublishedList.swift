package import Encodings

/// The JSON of a long list that others publish: a revocation list, or a directory of issuers or signers.
package enum PublishedList {
    /// Parses a list within the limits, which are the same for all kinds of list.
    ///
    /// - Parameter maximumSize: the largest size in bytes.
    package static func parse(_ bytes: [UInt8], maximumSize: Int) throws(Malformed) -> JSONValue {
        guard bytes.count <= maximumSize else {
            throw Malformed("it is larger than \(maximumSize >> 20) MiB")
        }
        guard !bytes.holdsMoreJSONValues(than: Bounds.listValues) else {
            throw Malformed("it contains more than \(Bounds.listValues) values")
        }
        return try Result { () throws(JSONError) in try JSONDocument.parse(bytes, maximumDepth: Bounds.nesting) }
            .mapError { Malformed("it is not acceptable JSON: \($0)") }.get()
    }

    /// Parses a list from a file, whose white space and byte-order marks around the content do not count.
    ///
    /// - Parameter maximumSize: the largest size in bytes.
    package static func parse(
        file bytes: [UInt8], maximumSize: Int
    ) throws(Malformed) -> JSONValue {
        let content = bytes[...].trimmingByteOrderMarks()
        return try parse(content.count == bytes.count ? bytes : Array(content), maximumSize: maximumSize)
    }
}
