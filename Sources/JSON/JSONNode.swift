/// One value, or one member's name, in the text. What kind of value it is, its first byte says.
///
/// There can be one node for every two bytes of text, so it is kept to 16 bytes.
struct JSONNode: Sendable {
    /// The value's first byte (of a string: the quotation mark).
    let start: UInt32
    /// One past the value's last byte.
    private(set) var end: UInt32
    /// The index of the first node after this value and all that is in it.
    private(set) var next: UInt32
    /// Of an array: how many elements; of an object: how many members; of a string: how many escapes.
    private(set) var count: UInt32

    /// Of a string: the bytes between the quotation marks.
    var content: Range<Int> { Int(start) + 1..<Int(end) - 1 }

    /// Of a string: whether it holds escapes, so that its bytes are not its characters.
    var hasEscapes: Bool { count > 0 }

    // The text is shorter than 2³² - 1 bytes, and has fewer nodes than bytes.

    /// A value with nothing in it, or a name.
    ///
    /// - Parameter index: the node's own.
    init(start: Int, end: Int, index: Int, escapes: UInt32 = 0) {
        self.start = UInt32(truncatingIfNeeded: start)
        self.end = UInt32(truncatingIfNeeded: end)
        next = UInt32(truncatingIfNeeded: index + 1)
        count = escapes
    }

    // MARK: Arrays and objects that have not ended

    /// An array or object that begins.
    ///
    /// - Parameter outer: the node of what it is in; nil for the outermost.
    init(start: Int, outer: Int?) {
        self.start = UInt32(truncatingIfNeeded: start)
        end = 0
        next = outer.map { UInt32(truncatingIfNeeded: $0) } ?? .max
        count = 0
    }

    /// The node of what it is in; nil for the outermost. Until it ends, this stands in place of `next`.
    var outer: Int? { next == .max ? nil : Int(next) }

    /// What is known of it so far. Until it ends, the names stand in place of `end`.
    var suspended: (start: Int, count: UInt32, names: UInt32) { (Int(start), count, end) }

    mutating func suspend(count: UInt32, names: UInt32) {
        self.count = count
        end = names
    }

    mutating func end(at position: Int, next: Int, count: UInt32) {
        end = UInt32(truncatingIfNeeded: position)
        self.next = UInt32(truncatingIfNeeded: next)
        self.count = count
    }
}
