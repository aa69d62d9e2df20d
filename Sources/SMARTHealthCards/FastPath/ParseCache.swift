import Credentials
import Cryptography
import Encodings

/// A cache of values that were parsed from short texts, by the bytes of the text.
///
/// The cache is emptied when it is full, so that nobody can fill the memory with cards that all differ.
struct ByteCache<Value> {
    private struct Entry {
        let bytes: [UInt8]
        let value: Value
    }

    /// The largest number of entries.
    static var maximumCount: Int { 1024 }
    /// The largest length of a text, in bytes. Longer texts are not cached.
    static var maximumLength: Int { 512 }

    /// The entries by the hash of their bytes. If two texts have the same hash, the later one replaces the other. An attacker
    /// who constructs such texts only makes some texts be parsed again.
    private var entries: [Int: Entry] = [:]

    /// The value for a text; nil if it is not in the cache.
    func value(for bytes: ArraySlice<UInt8>) -> Value? {
        guard bytes.count <= Self.maximumLength, let entry = entries[Self.hash(bytes)],
            entry.bytes.span.hasSameBytes(as: bytes.span)
        else { return nil }
        return entry.value
    }

    /// Stores the value for a text.
    mutating func keep(_ value: Value, for bytes: ArraySlice<UInt8>) {
        guard bytes.count <= Self.maximumLength else { return }
        if entries.count >= Self.maximumCount { entries.removeAll(keepingCapacity: true) }
        entries[Self.hash(bytes)] = Entry(bytes: Array(bytes), value: value)
    }

    private static func hash(_ bytes: ArraySlice<UInt8>) -> Int { bytes.span.quickHash }
}

/// Parts of cards that are often the same, with what was parsed from them: headers, issuers' URLs and arrays of types.
///
/// Only valid parts are stored, and a stored part is used only for exactly the same bytes.
final class ParseCache {
    /// The headers that were parsed from base64url texts.
    var headers = ByteCache<JOSEHeader>()
    /// The issuers with valid URLs.
    var issuers = ByteCache<Issuer>()
    /// The types in arrays with a JSON text. They include the health card type, and no unknown one.
    var types = ByteCache<[UTF8Text]>()
}
