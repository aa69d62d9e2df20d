/// A hash table of the names of an object's members, to find duplicate names.
///
/// Each process has its own hash seed, so nobody can prepare a text whose names all collide.
struct JSONNameTable {
    private struct Slot {
        var hash: UInt32
        /// The name's node. Node 0 is the whole text's value and never a name, so 0 marks a free slot.
        var name: UInt32

        static let free = Slot(hash: 0, name: 0)
    }

    /// Each name at its hash or in the next free slot after it. The number of slots is a power of two.
    private var slots: [Slot] = []
    private var count = 0

    var isEmpty: Bool { count == 0 }

    /// Inserts a name; false if the table already has an equal one.
    mutating func insert(_ name: Int, of nodes: Span<JSONNode>, in bytes: [UInt8]) -> Bool {
        if count * 2 >= slots.count { grow() }
        var hasher = Hasher()
        for byte in JSONText(nodes[name], in: bytes) { hasher.combine(byte) }
        let hash = UInt32(truncatingIfNeeded: hasher.finalize())
        let slot = firstSlot(from: hash) {
            $0.hash == hash && JSONText.areEqual(nodes[Int($0.name)], nodes[name], in: bytes)
        }
        guard slots[slot].name == 0 else { return false }
        slots[slot] = Slot(hash: hash, name: UInt32(name))
        count += 1
        return true
    }

    private mutating func grow() {
        let entered = slots
        slots = Array(repeating: .free, count: Swift.max(32, entered.count * 2))
        for entry in entered where entry.name != 0 { slots[firstSlot(from: entry.hash) { _ in false }] = entry }
    }

    /// The first slot, from the hash onwards, that is free or satisfies `isWanted`.
    private func firstSlot(from hash: UInt32, where isWanted: (Slot) -> Bool) -> Int {
        let mask = slots.count - 1
        var slot = Int(hash) & mask
        while slots[slot].name != 0, !isWanted(slots[slot]) { slot = (slot + 1) & mask }
        return slot
    }
}
