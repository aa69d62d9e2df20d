import JSON

/// A table of codes that ships, as the text that it is compiled from.
///
/// A row is a line, its fields are separated by `|`, the first is the code; rows are in the order of the code's bytes.
/// The text is searched as it is, by halves: no index is built, and a table that nobody asks costs nothing.
struct CodeTable: Sendable {
    private let bytes: [UInt8]

    /// - Parameter text: the rows, sorted. The tables are generated (`Scripts/generate-codes.py`), which sees to that.
    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Whether there is a row for this code.
    func contains(_ code: UTF8Text) -> Bool { range(of: code) != nil }

    /// The fields of a code's row, without the code; nil if there is no row.
    func fields(of code: UTF8Text) -> [UTF8Text]? {
        range(of: code).map { range in
            bytes[range].split(separator: Self.separator, omittingEmptySubsequences: false)
                .map { UTF8Text(decoding: $0) }
        }
    }

    /// All codes, in the table's order. It reads the whole table.
    var codes: some Sequence<String> {
        bytes.lazy.split(separator: Self.newline)
            .map { row in String(decoding: row.prefix { $0 != Self.separator }, as: UTF8.self) }
    }

    /// Where the fields after the code stand; nil if no row has this code.
    private func range(of code: UTF8Text) -> Range<Int>? {
        let bytes = bytes.span
        var low = 0
        var high = bytes.count
        while low < high {
            let middle = (low + high) / 2
            var start = middle
            while start > low && bytes[start - 1] != Self.newline { start -= 1 }
            var end = middle
            while end < high && bytes[end] != Self.newline { end += 1 }

            var here = start
            var rest = code.utf8[...]
            while here < end, bytes[here] != Self.separator, bytes[here] == rest.first {
                here += 1
                rest.removeFirst()
            }
            let isAtEnd = here == end || bytes[here] == Self.separator
            switch rest.first {
            case nil where isAtEnd: return min(here + 1, end)..<end
            case let next? where isAtEnd || bytes[here] < next: low = min(end + 1, high)
            default: high = start
            }
        }
        return nil
    }

    private static let newline = UInt8(ascii: "\n")
    private static let separator = UInt8(ascii: "|")
}
