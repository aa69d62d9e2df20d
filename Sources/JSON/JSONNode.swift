/// One value, or one member's name, in the text. What kind of value it is, its first byte says.
///
/// There can be one node for every two bytes of text, so it is kept to 16 bytes.
struct JSONNode: Sendable {
    /// The value's first byte (of a string: the quotation mark).
    var start: UInt32
    /// One past the value's last byte.
    var end: UInt32 = 0
    /// The index of the first node after this value and all that is in it.
    var next: UInt32 = 0
    /// Of an array: how many elements; of an object: how many members; of a string: how many escapes.
    var count: UInt32 = 0

    /// Of a string: the bytes between the quotation marks.
    var content: Range<Int> { Int(start) + 1..<Int(end) - 1 }

    /// Of a string: whether it holds escapes, so that its bytes are not its characters.
    var hasEscapes: Bool { count > 0 }
}
