import CData
import Encodings

/// The structure of FHIR R4, as rows of text (Sources/CData/data/structure.txt).
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
enum StructureTable {
    private static let space = UInt8(ascii: " ")
    private static let rows = SortedRows(unsafe EmbeddedFile(data_structure), separator: space)

    /// The words of the row with a name, without the name; nil if the table does not have it.
    static func row(of name: String) -> [String]? {
        rows.row(of: name.utf8.span)?.split(separator: space).map { String(decoding: $0, as: UTF8.self) }
    }
}
