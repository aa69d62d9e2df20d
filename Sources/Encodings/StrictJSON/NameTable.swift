/// Finds names among a few that are known, by their bytes.
///
/// The names must not come from strangers, who could choose such as make it slow. What is looked up may come from anybody.
package struct NameTable: Sendable {
    /// The bytes of all names, one after the other.
    private let bytes: [UInt8]
    /// Where each name ends in the bytes. Each begins where the one before it ends.
    private let ends: [Int]
    /// One more than the index of each name, at its hash or in the next free slot after it; 0 in free slots. The number of slots is a
    /// power of two, and at least half of them are free.
    private let slots: [Int]

    /// - Parameter names: the names. If one occurs several times, its first index is found.
    package init(_ names: some Sequence<String>) {
        var bytes: [UInt8] = []
        var ends: [Int] = []
        for name in names {
            bytes += name.utf8
            ends.append(bytes.count)
        }
        var size = 2
        while size < 2 * ends.count { size *= 2 }
        var slots = [Int](repeating: 0, count: size)
        for index in ends.indices {
            let start = index > 0 ? ends[index - 1] : 0
            var slot = bytes.span.extracting(start..<ends[index]).quickHash & (size - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = index + 1
        }
        self.bytes = bytes
        self.ends = ends
        self.slots = slots
    }

    /// The index of the characters of a string in JSON, or of a member's name; nil if they are not among the names.
    ///
    /// - Parameter count: the number of bytes at the beginning that do not count. The string has at least as many.
    package func index(of string: JSONValue, droppingFirst count: Int = 0) -> Int? {
        guard let place = string.plainStringRange else {
            return string.stringBytes.flatMap { index(of: $0, in: count..<$0.count) }
        }
        return index(of: string.document.bytes, in: place.lowerBound + count..<place.upperBound)
    }

    private func index(of bytes: [UInt8], in range: Range<Int>) -> Int? {
        index(of: bytes.span.extracting(range))
    }

    private func index(of name: Span<UInt8>) -> Int? {
        let (bytes, ends, slots) = (bytes.span, ends.span, slots.span)
        var slot = name.quickHash & (slots.count - 1)
        while slots[slot] != 0 {
            let index = slots[slot] - 1
            let start = index > 0 ? ends[index - 1] : 0
            if bytes.extracting(start..<ends[index]).hasSameBytes(as: name) { return index }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// The index of a name; nil if it is not among the names.
    package func index(of name: UTF8Text) -> Int? { index(of: name.utf8.span) }
}
