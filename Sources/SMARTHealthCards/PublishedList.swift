import Credentials
import JSON

/// The JSON of a long list that others publish: a revocation list or a directory of issuers.
enum PublishedList {
    /// Parses a list within the limits.
    ///
    /// - Parameter maximumSize: the largest size in bytes.
    static func parse(_ bytes: [UInt8], maximumSize: Int) throws(PublishedListError) -> JSONValue {
        guard bytes.count <= maximumSize else {
            throw PublishedListError(description: "it is larger than \(maximumSize >> 20) MiB")
        }
        guard !bytes.holdsMoreJSONValues(than: Bounds.listValues) else {
            throw PublishedListError(description: "it contains more than \(Bounds.listValues) values")
        }
        do throws(JSONError) {
            return try JSONDocument.parse(bytes, maximumDepth: Bounds.nesting)
        } catch {
            throw PublishedListError(description: "it is not acceptable JSON: \(error)")
        }
    }
}

/// The reason why a list is not read, in plain words which call it "it".
struct PublishedListError: Error {
    let description: String
}
