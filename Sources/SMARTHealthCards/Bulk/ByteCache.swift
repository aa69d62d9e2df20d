import JSON

/// What was made of bytes before, by these bytes. It holds so many entries and then starts anew, so that nobody fills the
/// memory by sending what was never met.
struct ByteCache<Value> {
    private struct Entry {
        let bytes: [UInt8]
        let value: Value
    }

    /// How many entries there may be.
    static var maximumCount: Int { 1024 }
    /// How many bytes may be asked about.
    static var maximumLength: Int { 512 }

    /// By the bytes' hash. Where two fall on one hash, the later one stays: someone who makes texts for that has no more than
    /// some forms read anew, as with any texts that were not met.
    private var entries: [Int: Entry] = [:]

    /// What was made of the bytes; nil if they were not met, or not lately.
    func value(for bytes: ArraySlice<UInt8>) -> Value? {
        guard bytes.count <= Self.maximumLength, let entry = entries[Self.hash(bytes)],
            entry.bytes.span.hasSameBytes(as: bytes.span)
        else { return nil }
        return entry.value
    }

    /// Keeps what was made of the bytes.
    mutating func keep(_ value: Value, for bytes: ArraySlice<UInt8>) {
        guard bytes.count <= Self.maximumLength else { return }
        if entries.count >= Self.maximumCount { entries.removeAll(keepingCapacity: true) }
        entries[Self.hash(bytes)] = Entry(bytes: Array(bytes), value: value)
    }

    private static func hash(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.span.quickHash
    }
}
