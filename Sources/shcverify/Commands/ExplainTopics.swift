import Credentials

/// A word of a report that is no code of a failure or finding, and what docs/explanations.md says of it.
struct ExplainTopic {
    /// The word, as `explain` takes it.
    let word: String
    /// What it means.
    let meaning: String
    /// What to do about it; nil if there is nothing to do.
    let remedy: String?
    /// What the holder of the card can do, in words for people who do not have the program; nil if there is nothing.
    let holder: String?

    /// The topic that a word of a report means; nil if there is none.
    ///
    /// What was copied from a report may have capitals, and spaces in place of hyphens.
    static func of(_ text: String) -> ExplainTopic? {
        let word = word(of: text)
        let section =
            sections.first { $0.isHeaded(word) }
            ?? sections.first { synonyms($0).contains { $0.utf8.elementsEqual(word.utf8) } }
        return section.map { section in
            let fields = section.fields
            return ExplainTopic(
                word: section.heading, meaning: fields[.meaning] ?? "", remedy: fields[.remedy], holder: fields[.desk])
        }
    }

    /// A text in the form of the words here.
    static func word(of text: String) -> String {
        String(
            decoding: text.utf8.map { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
                case UInt8(ascii: " "), UInt8(ascii: "_"): UInt8(ascii: "-")
                default: byte
                }
            }, as: UTF8.self)
    }

    /// The words that have a section.
    static var headings: [String] { sections.map(\.heading) }

    /// The words that `explain` takes.
    static var words: [String] { headings + sections.flatMap(synonyms).sorted() }

    private static var sections: [ExplanationPage.Section] {
        ExplanationPage.embedded.sections.filter { $0.part == .words }
    }

    /// How reports say a word, too.
    private static func synonyms(_ section: ExplanationPage.Section) -> [String] {
        section.fields[.also].map { $0.split(separator: ", ").map(String.init) } ?? []
    }
}
