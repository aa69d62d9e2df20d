import JSON

extension JSONValue {
    /// Whether the value is exactly this string, byte by byte, once escapes are resolved.
    ///
    /// `String` compares by canonical equivalence, which has no place in deciding what a card is, and costs more.
    package func isString(_ text: String) -> Bool {
        // No string is written with fewer bytes than it has; most that are asked about are shorter.
        guard kind == .string, byteRange.count >= text.utf8.count + 2 else { return false }
        return stringBytes?.elementsEqual(text.utf8) == true
    }
}
