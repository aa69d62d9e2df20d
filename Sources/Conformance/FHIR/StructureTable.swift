/// A part of the structure of FHIR R4, as the text that it is compiled from.
///
/// A row is a line of words; rows are in the order of their names' bytes. There are two kinds:
///
///     NarrativeStatus = generated extensions additional empty
///     Narrative Element status:NarrativeStatus! div:@xhtml!
///
/// The first is a code list. The second is a type: what it is built on (`-`: nothing), and its own elements, each with its
/// type and how often it occurs: 0 to 1, `!` once, `*` any number, `+` one or more. `occurrence[x]:dateTime,string!` is a
/// choice of types; in `value[x]:*` they are those of the row `OpenType`. What XML has as an attribute, and XHTML, is marked
/// with `@`: it has no extensions.
///
/// The text is searched as it is, by halves: a table that nobody asks costs nothing.
struct StructureTable: Sendable {
    private let bytes: [UInt8]

    /// - Parameter text: the rows, sorted. The tables are generated (`Scripts/generate-structure.py`), which sees to that.
    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// The words of a name's row, without the name; nil if no table has one.
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
