import Credentials
import JOSE
import StrictJSON

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

    private static func hash(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.span.quickHash
    }
}

/// Parts of cards that are often the same, with what was parsed from them: headers, issuers' URLs and arrays of types.
///
/// Only valid parts are stored, and a stored part is used only for exactly the same bytes.
final class ParseCache {
    private var headers = ByteCache<JOSEHeader>()
    private var issuers = ByteCache<Issuer>()
    private var types = ByteCache<[UTF8Text]>()

    /// The header that was parsed from this base64url text; nil if it is not stored.
    func header(_ text: ArraySlice<UInt8>) -> JOSEHeader? { headers.value(for: text) }

    /// Stores the header of a JWS.
    func keep(_ header: JOSEHeader, of jws: CompactJWS) {
        headers.keep(header, for: jws.headerText)
    }

    /// The issuer with this URL; nil if it is not stored.
    func issuer(_ url: ArraySlice<UInt8>) -> Issuer? { issuers.value(for: url) }

    /// Stores an issuer.
    func keep(_ issuer: Issuer, of url: ArraySlice<UInt8>) { issuers.keep(issuer, for: url) }

    /// The types in an array with this JSON text; nil if it is not stored. They include the health card type, and no unknown one.
    func knownTypes(_ array: ArraySlice<UInt8>) -> [UTF8Text]? { types.value(for: array) }

    /// Stores the types of a valid array without unknown types.
    func keep(_ types: [UTF8Text], of array: ArraySlice<UInt8>) { self.types.keep(types, for: array) }
}
