import FHIR
import StrictJSON

extension JSONWriter {
    /// Writes the member `codeLists`: the lists of codes that were in use, so that an archive can tell what was known.
    mutating func writeCodeLists(of names: CodeNames) {
        name("codeLists")
        array { writer in
            for list in names.lists {
                writer.object { writer in
                    writer.member("name", list.name)
                    writer.member("date", list.date)
                    writer.member("source", list.source.rawValue)
                }
            }
        }
    }
}

extension CodeNames {
    /// The lists of codes that were in use, in one line.
    var listsInWords: String {
        let words = lists.map { list in
            "\(list.name)" + (list.date.map { " of \($0)" } ?? "")
                + (list.source == .builtIn ? "" : " (\(list.source.rawValue))")
        }
        return "Lists of codes: \(words.joined(separator: ", "))."
    }
}
