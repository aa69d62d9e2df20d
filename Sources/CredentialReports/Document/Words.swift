import Credentials
package import Encodings
import FHIR

/// Words of a report for people, without their look: `"issuer \(name, upTo: 200), \(count) keys"`.
///
/// The literals are words of this program. Everything else has a voice, which tells a renderer how to escape it. Reports escape nothing
/// themselves.
package struct Words: ExpressibleByStringInterpolation, StringInterpolationProtocol, Sendable {
    /// Who speaks.
    enum Voice {
        case program
        /// Text from strangers. On a page, it cannot reorder the text around it.
        case stranger
        /// The path of a file. A page leaves out the folders.
        case path
        /// A message, with the words of strangers in quotation marks, and code between backticks.
        case message
        /// Words of this program, with code between backticks.
        case prose
    }

    /// What some of the words represent.
    package enum Mark: Sendable {
        case tone(Palette.Style)
        /// A verdict, preceded by a sign. Text has the sign only together with colour, because scripts look for the word.
        case verdict(Palette.Style, isWarning: Bool = false)
        case code, quietCode, note, strong
        /// A link to a part of the page.
        case part(Int)
        /// The address of a standard. Text puts it on a separate line.
        case source(String)
    }

    /// What a report is rendered for.
    enum Medium { case text, page }

    struct Run {
        let text: String
        let voice: Voice
        let mark: Mark?
        /// The only medium that has the words; nil if both have them.
        let medium: Medium?
    }

    private(set) var runs: [Run] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}
    package init(stringInterpolation words: Words) { self = words }
    package init(stringLiteral text: String) { self.init(text) }

    package init(_ text: String, _ mark: Mark? = nil) { add(text, mark: mark) }

    private mutating func add(_ text: String, _ voice: Voice = .program, mark: Mark? = nil, in medium: Medium? = nil) {
        if !text.isEmpty { runs.append(Run(text: text, voice: voice, mark: mark, medium: medium)) }
    }

    package mutating func appendLiteral(_ text: String) { add(text) }

    package mutating func appendInterpolation(_ text: String, _ mark: Mark? = nil) { add(text, mark: mark) }

    package mutating func appendInterpolation(_ number: Int) { add("\(number)") }

    package mutating func appendInterpolation(_ words: Words) { runs += words.runs }

    /// Text from strangers, cut to a number of characters.
    package mutating func appendInterpolation(_ text: UTF8Text, upTo length: Int, _ mark: Mark? = nil) {
        appendInterpolation(from: text.description, upTo: length, mark)
    }

    /// Text from strangers, cut to a number of characters.
    package mutating func appendInterpolation(from text: String, upTo length: Int? = nil, _ mark: Mark? = nil) {
        add(length.map { TerminalText.beginning(of: text, upTo: $0) } ?? text, .stranger, mark: mark)
    }

    package mutating func appendInterpolation(path: String, _ mark: Mark? = nil) { add(path, .path, mark: mark) }

    package mutating func appendInterpolation(message: String) { add(message, .message) }

    package mutating func appendInterpolation(prose: String) { add(prose, .prose) }

    /// Words that only text has.
    package mutating func appendInterpolation(text: String) { add(text, in: .text) }

    /// Words that only a page has.
    package mutating func appendInterpolation(page: String, _ mark: Mark? = nil) { add(page, mark: mark, in: .page) }

    /// An issuer with its name, if it has one, and its URL.
    package mutating func appendInterpolation(issuer name: UTF8Text?, at url: String, _ mark: Mark? = nil) {
        if let name { appendInterpolation("\(name, upTo: 200)\(text: " (")\(page: " ")" as Words) }
        appendInterpolation(from: url, upTo: 300, mark)
        if name != nil { appendInterpolation(text: ")") }
    }
}

/// A part of a report for people. A report is a list of blocks, which say what it contains and not how it looks. `TextRenderer` makes lines
/// for a terminal from them, and `HTMLWriter` a page.
package indirect enum Block {
    /// A line.
    case line(Words, isWarning: Bool = false)
    /// Sentences. Text breaks them at the width of the terminal.
    case paragraph(Words, isNote: Bool = false)
    /// Names and values. An empty name continues the previous value.
    case fields([(name: String, value: Words)])
    /// Lines with one name.
    case labelled(String, [Words])
    case list([Words])
    /// Records. On a page, a group begins with the lines of its head.
    case records([RecordColumn], groups: [(head: [Words], range: Range<Int>)])
    /// Rows of a few short cells, with titles on a page. In text, each cell but the last has a fixed number of columns.
    case rows([[Words]], titles: [String] = [], columns: [Int])
    /// Rows of text: on a terminal a table, if the columns have titles; otherwise lines with tabs between the cells. No cell contains a tab
    /// or a line end.
    case tabbed([[String]], titles: [String] = [])
    case json(JSONValue)
    /// A part with a title. The style is a class of the page.
    case section(Words?, level: Int = 3, style: String? = nil, [Block])
    /// What a rule found, how bad it is, where it is, and what it means.
    case finding(String, Palette.Style, rule: String, level: Int, at: Words?, [Block])
    /// What was found in one place. Text begins it with the label and the name, and a page with the title.
    case group(String, Words, title: Words?, [Block])
    /// An issuer, and what is said about it.
    case issuer(Words, level: Int, [Words])
    case indented(Int, [Block])

    // Only on pages. Text has the blocks inside, or nothing.

    /// A part of the page. Links can refer to it by its number.
    case article(Words? = nil, part: Int? = nil, [Block])
    /// The verdict at the head of an article, or of the page, and what follows it.
    case head(String, Palette.Style, isWarning: Bool = false, level: Int = 2, [Words])
    /// A part that is folded away.
    case details(String, [Block])
    /// Rows with a title for each column, already rendered.
    case overview([String], rows: [UInt8])
}

/// Makes a list of blocks from the statements of a function.
@resultBuilder package enum Blocks {
    package static func buildExpression(_ block: Block) -> [Block] { [block] }
    package static func buildExpression(_ blocks: [Block]) -> [Block] { blocks }
    package static func buildBlock(_ parts: [Block]...) -> [Block] { parts.flatMap(\.self) }
    package static func buildOptional(_ blocks: [Block]?) -> [Block] { blocks ?? [] }
    package static func buildEither(first blocks: [Block]) -> [Block] { blocks }
    package static func buildEither(second blocks: [Block]) -> [Block] { blocks }
    package static func buildArray(_ parts: [[Block]]) -> [Block] { parts.flatMap(\.self) }
}

extension Block {
    package static func section(
        _ title: Words?, level: Int = 3, style: String? = nil, @Blocks _ blocks: () -> [Block]
    ) -> Block { .section(title, level: level, style: style, blocks()) }

    package static func article(_ title: Words? = nil, part: Int? = nil, @Blocks _ blocks: () -> [Block]) -> Block {
        .article(title, part: part, blocks())
    }

    /// Warnings, if there are any.
    static func warnings(_ warnings: [CredentialWarning]) -> [Block] {
        let items = warnings.map { warning -> Words in
            let code = warning.code.rawValue
            return "\(text: "\(code): ")\(message: warning.message)\(page: " ")\(page: code, .quietCode)"
        }
        return items.isEmpty ? [] : [.section("Warnings", [.list(items)])]
    }

    /// All records of a card or Bundle.
    ///
    /// - Parameter subjects: the persons on the card, if the table must name the person of each record.
    static func records(_ records: [Record], subjects: [Subject]? = nil) -> Block {
        .records(RecordColumn.columns(of: records, subjects: subjects), groups: [([], records.indices)])
    }
}

extension Sequence {
    /// The elements in groups, ordered by the first element of each.
    package func grouped<Key: Hashable>(by key: (Element) -> Key) -> [[Element]] {
        let groups = Dictionary(grouping: self, by: key)
        var seen: Set<Key> = []
        return map(key).filter { seen.insert($0).inserted }.compactMap { groups[$0] }
    }
}
