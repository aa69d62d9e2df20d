import Credentials
package import Encodings

/// A hash table of the identifiers in a revocation list. The time to look up a card does not depend on the list's length.
///
/// The table refers to the list's text. It copies only entries that are written with JSON escapes. It takes 11 to 22 bytes for
/// each entry. The hash has a random seed in each process, so that nobody can construct a list with many collisions.
struct RevocationIndex: Sendable {
    private struct Slot {
        var hash: UInt32
        /// The position of the entry's first character in the text. Positions after the end of the text are positions in
        /// `unescaped`. No entry can be at 0, so 0 marks a free slot.
        var start: UInt32

        static let free = Slot(hash: 0, start: 0)
    }

    /// Each entry is in the slot of its hash, or in the next free slot after it. The number of slots is a power of two, or 0.
    private var slots: [Slot] = []
    private let text: [UInt8]
    /// The entries that are written with escapes, unescaped, with a quotation mark after each.
    private var unescaped: [UInt8] = []
    /// The index of the first entry that does not have the form `rid` or `rid.timestamp`; nil if all have it.
    private(set) var firstMalformed: Int?

    /// Creates the index.
    ///
    /// - Parameter entries: the list's `rids`. Malformed entries are left out.
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

    /// Enters a string that is written with escapes.
    ///
    /// - Returns: false if it is malformed, or not a string.
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
        // Of several entries with the same identifier, the one with the latest timestamp covers the others.
        if slots[slot].start != 0, revokedBefore(slots[slot].start) >= entry.revokedBefore { return true }
        slots[slot] = Slot(hash: hash, start: UInt32(start))
        return true
    }

    /// The moment, in seconds since 1970, before which the revoked cards with this identifier were issued; `Int64.max` if all of
    /// them are revoked; nil if the identifier is not listed.
    func revokedBefore(_ revocationID: [UInt8]) -> Int64? {
        // Only identifiers in this alphabet are entered.
        guard !slots.isEmpty, !revocationID.isEmpty, revocationID.allSatisfy(RevocationID.isInAlphabet) else {
            return nil
        }
        let start = slots[firstSlot(from: Self.hash(revocationID[...]), of: revocationID[...])].start
        return start == 0 ? nil : revokedBefore(start)
    }

    private static let endOfEntry = UInt8(ascii: "\"")

    private func byte(_ position: Int) -> UInt8 {
        position < text.count ? text[position] : unescaped[position - text.count]
    }

    /// The timestamp of the entry at a position, as in `RevocationEntry`.
    private func revokedBefore(_ start: UInt32) -> Int64 {
        var end = Int(start)
        while byte(end) != Self.endOfEntry { end += 1 }
        let range = Int(start)..<end
        let bytes = end < text.count ? text[range] : ArraySlice(range.map { byte($0) })
        return RevocationEntry(bytes)?.revokedBefore ?? .max
    }

    /// The slot with the identifier, or the free slot for it. At least a quarter of the slots is free, so the search ends.
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

/// An entry of a revocation list: `rid` or `rid.timestamp` (SHC-R3).
struct RevocationEntry {
    let revocationID: ArraySlice<UInt8>
    /// The timestamp in seconds since 1970. Cards that were issued before it are revoked. `Int64.max` if there is no timestamp:
    /// then all cards with this identifier are revoked.
    let revokedBefore: Int64

    /// Reads an entry; nil if its form is wrong.
    init?(_ text: ArraySlice<UInt8>) {
        let dot = text.firstIndex(of: UInt8(ascii: ".")) ?? text.endIndex
        revocationID = text[..<dot]
        guard !revocationID.isEmpty, revocationID.allSatisfy(RevocationID.isInAlphabet) else { return nil }
        guard dot < text.endIndex else {
            revokedBefore = .max
            return
        }
        let digits = text[(dot + 1)...]
        guard !digits.isEmpty, digits.count <= 15, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        revokedBefore = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
    }
}

/// The form of the identifiers in revocation lists (SHC-R1).
package enum RevocationID {
    /// Whether a text consists of 1 to 24 characters of the base64url alphabet.
    package static func isWellFormed(_ text: some Collection<UInt8>) -> Bool {
        (1...Bounds.revocationIDLength).contains(text.count) && text.allSatisfy(isInAlphabet)
    }

    /// Whether a character is in the base64url alphabet (RFC 4648 §5).
    package static func isInAlphabet(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }
}

/// The version of a revocation list: `ctr` in the list, `crlVersion` in the key (SHC-R2).
///
/// The specification shows a number, but some issuers publish a string of digits. Both are compared as numbers.
package struct RevocationCounter: Comparable, Hashable, Sendable, CustomStringConvertible {
    private let value: UInt64

    /// Reads a counter; nil if the value is neither a whole number nor a string of digits.
    package init?(_ value: JSONValue) {
        guard let digits = value.number?.digits ?? value.string?.description, !digits.isEmpty,
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt64(digits)
        else { return nil }
        self.value = number
    }

    package static func < (left: RevocationCounter, right: RevocationCounter) -> Bool { left.value < right.value }

    package var description: String { String(value) }
}
