import JSON

/// The identifiers of a revocation list by their hash, so that a card is looked up in one step, however long the list is.
///
/// Nothing is copied out of the list's text but entries that are written with escapes. The index is made once, with the
/// list, and takes 11 to 22 bytes an entry. The hash is seeded anew in every process.
struct RevocationIndex: Sendable {
    private struct Slot {
        var hash: UInt32
        /// Where the entry's first character is: in the text, or that far behind its end in `unescaped`. No entry is at 0,
        /// which marks a free slot.
        var start: UInt32

        static let free = Slot(hash: 0, start: 0)
    }

    /// Each entry at its hash or in the next free slot after it. The number of slots is a power of two, or 0.
    private var slots: [Slot] = []
    private let text: [UInt8]
    /// Entries that are written with escapes, without these, a quotation mark after each.
    private var unescaped: [UInt8] = []
    /// The number of the first entry that is not of the form `rid` or `rid.timestamp`; nil if all are.
    private(set) var firstMalformed: Int?

    /// - Parameter entries: the list's `rids`; whatever is not of their form is left out.
    init(_ entries: JSONValue?) {
        text = entries?.text ?? []
        guard let elements = entries?.elements, elements.count > 0 else { return }
        var size = 2
        while size * 3 < elements.count * 4 { size *= 2 }
        slots = Array(repeating: .free, count: size)
        for (number, element) in elements.enumerated() {
            let isEntered =
                if let plain = element.plainStringBytes { enter(plain, at: plain.startIndex) } else { enter(element) }
            if !isEntered, firstMalformed == nil { firstMalformed = number }
        }
    }

    /// Enters a string that is written with escapes; false where it is of another form, or no string.
    private mutating func enter(_ element: JSONValue) -> Bool {
        guard let bytes = element.stringBytes else { return false }
        let start = text.count + unescaped.count
        unescaped += bytes
        unescaped.append(Self.endOfEntry)
        return enter(bytes[...], at: start)
    }

    private mutating func enter(_ bytes: ArraySlice<UInt8>, at start: Int) -> Bool {
        guard let entry = RevocationEntry(bytes) else { return false }
        let hash = Self.hash(entry.revocationID)
        let slot = firstSlot(from: hash, of: entry.revocationID)
        // Of one identifier the entry that revokes most stands for all: a card that any of them revokes is revoked by it.
        if slots[slot].start != 0, revokedBefore(slots[slot].start) >= entry.revokedBefore { return true }
        slots[slot] = Slot(hash: hash, start: UInt32(start))
        return true
    }

    /// The second since 1970 that cards of this identifier are revoked if they were issued before, the last where all of
    /// them are; nil if the identifier is not listed.
    func revokedBefore(_ revocationID: [UInt8]) -> Int64? {
        // Entries are of that alphabet alone.
        guard !slots.isEmpty, !revocationID.isEmpty, RevocationID.isInAlphabet(revocationID) else { return nil }
        let start = slots[firstSlot(from: Self.hash(revocationID[...]), of: revocationID[...])].start
        return start == 0 ? nil : revokedBefore(start)
    }

    private static let endOfEntry = UInt8(ascii: "\"")

    private func byte(_ position: Int) -> UInt8 {
        position < text.count ? text[position] : unescaped[position - text.count]
    }

    /// What the entry there says.
    private func revokedBefore(_ start: UInt32) -> Int64 {
        var end = Int(start)
        while byte(end) != Self.endOfEntry { end += 1 }
        let range = Int(start)..<end
        let bytes = end < text.count ? text[range] : ArraySlice(range.map { byte($0) })
        return RevocationEntry(bytes)?.revokedBefore ?? .max
    }

    /// The slot of the identifier, or the free one that it belongs in. A third of the slots is always free.
    private func firstSlot(from hash: UInt32, of revocationID: ArraySlice<UInt8>) -> Int {
        let mask = slots.count - 1
        var slot = Int(hash) & mask
        while slots[slot].start != 0, slots[slot].hash != hash || !isEntry(slots[slot].start, of: revocationID) {
            slot = (slot + 1) & mask
        }
        return slot
    }

    private func isEntry(_ start: UInt32, of revocationID: ArraySlice<UInt8>) -> Bool {
        var position = Int(start)
        for wanted in revocationID {
            guard byte(position) == wanted else { return false }
            position += 1
        }
        return byte(position) == Self.endOfEntry || byte(position) == UInt8(ascii: ".")
    }

    private static func hash(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var hasher = Hasher()
        for byte in bytes { hasher.combine(byte) }
        return UInt32(truncatingIfNeeded: hasher.finalize())
    }
}
