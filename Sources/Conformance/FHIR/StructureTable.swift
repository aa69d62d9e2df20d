/// A part of the structure of FHIR R4, as text.
///
/// A row is a line of words. Rows are sorted by the bytes of their names. There are two kinds:
///
///     NarrativeStatus = generated extensions additional empty
///     Narrative Element status:NarrativeStatus! div:@xhtml!
///
/// The first is a code list. The second is a type: its base (`-`: none) and its own elements, each with its type and
/// its cardinality: none for 0 to 1, `!` for 1, `*` for any number, `+` for 1 or more. `occurrence[x]:dateTime,string!`
/// is a choice of types. In `value[x]:*` the types are those of the row `OpenType`. `@` marks XHTML and what is an
/// attribute in XML: they have no extensions.
///
/// Rows are found by binary search in the text, so a table that is not used costs nothing.
struct StructureTable: Sendable {
    private let bytes: [UInt8]

    /// - Parameter text: the sorted rows. Scripts/generate-structure.py generates them.
    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// The words of the row with a name, without the name; nil if no table has it.
    static func row(of name: String) -> [String]? {
        name.utf8.first.flatMap { table(ofInitial: $0) }?.row(of: name)
    }

    private func row(of name: String) -> [String]? {
        let name = Array(name.utf8)
        var low = 0
        var high = bytes.count
        while low < high {
            let middle = (low + high) / 2
            var start = middle
            while start > low, bytes[start - 1] != Self.newline { start -= 1 }
            var end = middle
            while end < high, bytes[end] != Self.newline { end += 1 }
            let row = bytes[start..<end]
            let found = row.prefix { $0 != Self.space }
            if found.elementsEqual(name) {
                return row.split(separator: Self.space).dropFirst().map { String(decoding: $0, as: UTF8.self) }
            }
            if found.lexicographicallyPrecedes(name) {
                low = min(end + 1, high)
            } else {
                high = start
            }
        }
        return nil
    }

    private static let newline = UInt8(ascii: "\n")
    private static let space = UInt8(ascii: " ")
}
