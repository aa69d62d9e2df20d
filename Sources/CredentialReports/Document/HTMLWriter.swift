import Encodings

/// Writes HTML: blocks as the content of a page, with all text escaped.
///
/// The names of elements and attributes are literals of this program; the types allow nothing else. Everything else is text, which is
/// always escaped.
struct HTMLWriter {
    /// The elements that a page may have.
    enum Element: String {
        case header, footer, section, article, div, details, summary
        case h1, h2, h3, h4, p, ul, li, dl, dt, dd, pre
        case table, thead, tbody, tr, th, td
        case a, span, strong, code, bdi

        /// Whether the element begins a line of the file, so that people can read it.
        fileprivate var beginsLine: Bool { ![.a, .span, .strong, .code, .bdi].contains(self) }
    }

    /// The text so far, in UTF-8.
    private(set) var bytes: [UInt8] = []

    private init() {}

    /// What is written.
    static func bytes(_ write: (inout HTMLWriter) -> Void) -> [UInt8] {
        var writer = HTMLWriter()
        write(&writer)
        return writer.bytes
    }

    /// Adds what is already markup: the output of another writer, or the style sheet.
    mutating func add(_ part: [UInt8]) { bytes += part }

    /// Writes markup of this program unchanged.
    mutating func markup(_ markup: StaticString) { bytes += markup.description.utf8 }

    /// Writes an element with its content. An attribute without a value is left out.
    mutating func element(
        _ element: Element, _ attributes: KeyValuePairs<StaticString, String?> = [:],
        content: (inout HTMLWriter) -> Void
    ) {
        if element.beginsLine { bytes.append(UInt8(ascii: "\n")) }
        bytes += "<\(element.rawValue)".utf8
        for case (let name, let value?) in attributes {
            bytes += " \(name)=\"".utf8
            text(value)
            bytes.append(UInt8(ascii: "\""))
        }
        bytes.append(UInt8(ascii: ">"))
        content(&self)
        bytes += "</\(element.rawValue)>".utf8
    }

    /// Writes an element that contains only words.
    mutating func element(
        _ element: Element, _ attributes: KeyValuePairs<StaticString, String?> = [:], words: Words
    ) {
        self.element(element, attributes) { $0.words(words) }
    }

    /// Writes text.
    mutating func text(_ text: String) { write(text.unicodeScalars) }

    /// Writes text of this program with code between backticks, as in the specification.
    mutating func prose(_ text: String) {
        // By scalars, because a backtick with a combining mark is another character.
        let pieces = text.unicodeScalars.split(separator: "`", omittingEmptySubsequences: false)
        // A backtick without a partner is text.
        guard pieces.count % 2 == 1 else { return self.text(text) }
        for (place, piece) in pieces.enumerated() {
            if place % 2 == 0 { self.text(String(piece)) } else { element(.code, words: Words(String(piece))) }
        }
    }

    /// Writes text from strangers. Even if it runs from right to left, it cannot reorder the text around it.
    mutating func isolated(_ text: String) {
        if !text.isEmpty { element(.bdi) { $0.text(TerminalText.printable(text)) } }
    }

    /// Writes text with the words of strangers in quotation marks, such as a message, and with code between backticks.
    mutating func quoting(_ text: String) { quote(text, keepsLines: false) }

    /// Writes a JSON value, line by line.
    mutating func json(_ value: JSONValue) { quote(value.indentedText, keepsLines: true) }

    /// Isolates every string in quotation marks that is not plain ASCII.
    private mutating func quote(_ text: String, keepsLines: Bool) {
        var rest = text.unicodeScalars[...]
        while let start = rest.firstIndex(of: "\"") {
            let begin = rest.index(after: start)
            unquoted(rest[..<begin], keepsLines: keepsLines)
            let end = Self.endOfString(rest[begin...])
            let string = rest[begin..<end]
            if string.allSatisfy(\.isASCII) {
                write(string)
            } else {
                element(.bdi) { $0.write(string) }
            }
            rest = rest[end...]
            // The closing quotation mark does not begin another string.
            guard let mark = rest.popFirst() else { return }
            write(CollectionOfOne(mark))
        }
        unquoted(rest, keepsLines: keepsLines)
    }

    private mutating func unquoted(_ text: Substring.UnicodeScalarView, keepsLines: Bool) {
        if keepsLines { write(text, keepsLines: true) } else { prose(String(text)) }
    }

    /// The place of the quotation mark that ends a JSON string; the end of the text if there is none.
    private static func endOfString(_ text: Substring.UnicodeScalarView) -> String.Index {
        var isEscaped = false
        return text.firstIndex { scalar in
            if isEscaped {
                isEscaped = false
                return false
            }
            isEscaped = scalar == "\\"
            return scalar == "\""
        } ?? text.endIndex
    }

    /// Writes characters as text. The result may also be the value of an attribute in quotation marks.
    ///
    /// Characters that could control a terminal, or hide or reorder text, are replaced, and so are those that HTML does not allow.
    ///
    /// - Parameter keepsLines: whether line feeds are kept, because the text is already laid out in lines.
    private mutating func write(_ text: some Sequence<Unicode.Scalar>, keepsLines: Bool = false) {
        for scalar in text {
            switch scalar {
            case "&": bytes += "&amp;".utf8
            case "<": bytes += "&lt;".utf8
            case ">": bytes += "&gt;".utf8
            case "\"": bytes += "&quot;".utf8
            case "'": bytes += "&#39;".utf8
            // `##[` begins a command to a build server.
            case "#" where bytes.last == UInt8(ascii: "#"): bytes += "&#35;".utf8
            case "\n" where keepsLines: bytes.append(0x0A)
            default:
                let shown = scalar.isUnprintable ? "\u{FFFD}" : scalar
                bytes += UTF8.encode(shown) ?? UTF8.encodedReplacementCharacter
            }
        }
    }
}

extension HTMLWriter {
    mutating func write(_ blocks: [Block]) {
        for block in blocks { write(block) }
    }

    private mutating func write(_ block: Block) {
        switch block {
        case .line(let words, let isWarning): element(.p, ["class": isWarning ? "warning" : nil], words: words)
        case .paragraph(let words, let isNote): element(.p, ["class": isNote ? "note" : nil], words: words)
        case .fields(let fields):
            guard !fields.isEmpty else { return }
            element(.dl) { writer in
                for (name, value) in fields {
                    if !name.isEmpty { writer.element(.dt, words: Words(name)) }
                    writer.element(.dd, words: value)
                }
            }
        case .labelled(let name, let all): part(.section, title: Words(name), all.map { .line($0) })
        case .list(let items):
            element(.ul) { writer in for item in items { writer.element(.li, words: item) } }
        case .records(let columns, let groups):
            // Nine columns fit on a sheet of paper, whatever is in them.
            let style = columns.count > 9 ? "records wide" : "records"
            table(style, columns.map(\.title)) { writer in
                for (head, range) in groups { writer.group(columns, head, range) }
            }
        case .rows(let rows, let titles, _):
            table("short", titles) { $0.element(.tbody) { writer in for row in rows { writer.row(row) } } }
        case .tabbed(let rows, let titles):
            write(.rows(rows.map { $0.map { "\(from: $0)" } }, titles: titles, columns: []))
        case .json(let value): element(.pre) { $0.json(value) }
        case .section(let title, let level, let style, let blocks):
            part(.section, ["class": style], Self.heading(level), title: title, blocks)
        case .finding(let severity, let style, let rule, let level, let place, let blocks):
            part(
                .div, ["class": "finding"], Self.heading(level), title: "\(severity, .tone(style)) \(rule, .code)",
                (place.map { [.paragraph("at \($0)", isNote: true)] } ?? []) + blocks)
        case .group(_, _, let title, let blocks): part(.section, title: title, blocks)
        case .issuer(let name, let level, let all):
            part(.section, [:], Self.heading(level), title: name, all.map { .line($0) })
        case .indented(_, let blocks): write(blocks)
        case .article(let title, let part, let blocks):
            self.part(.article, ["id": part.map { "part-\($0)" }], .h2, title: title, blocks)
        case .head(let headline, let style, let isWarning, let level, let lead):
            element(.header, ["class": style.rawValue]) { writer in
                writer.sign(style, isWarning: isWarning)
                writer.part(.div, [:], Self.heading(level), title: Words(headline), lead.map { .line($0) })
            }
        case .details(let title, let blocks): part(.details, [:], .summary, title: Words(title), blocks)
        case .overview(let titles, let rows): table("short", titles) { $0.element(.tbody) { $0.add(rows) } }
        }
    }

    private static func heading(_ level: Int) -> Element { [.h1, .h2, .h3, .h4][level - 1] }

    private mutating func part(
        _ part: Element, _ attributes: KeyValuePairs<StaticString, String?> = [:], _ heading: Element = .h3,
        title: Words?, _ blocks: [Block]
    ) {
        element(part, attributes) { writer in
            if let title { writer.element(heading, words: title) }
            writer.write(blocks)
        }
    }

    // MARK: Tables

    private mutating func table(_ style: String, _ titles: [String], rows: (inout HTMLWriter) -> Void) {
        element(.table, ["class": style]) { writer in
            writer.element(.thead) { writer in
                writer.element(.tr) { writer in
                    for title in titles { writer.element(.th, ["scope": "col"], words: Words(title)) }
                }
            }
            rows(&writer)
        }
    }

    /// Writes a group of records. On a narrow screen, or with many columns, each record is a block of lines, and the style sheet takes the
    /// titles from an attribute.
    private mutating func group(_ columns: [RecordColumn], _ head: [Words], _ records: Range<Int>) {
        element(.tbody) { writer in
            if let first = head.first {
                writer.element(.tr) { writer in
                    writer.element(.th, ["colspan": "\(columns.count)", "scope": "rowgroup"]) { writer in
                        writer.words(first)
                        for line in head.dropFirst() { writer.element(.div, ["class": "note"], words: line) }
                    }
                }
            }
            for record in records {
                writer.element(.tr) { writer in
                    for column in columns {
                        writer.element(.td, ["data-column": column.title]) { $0.isolated(column.cells[record]) }
                    }
                }
            }
        }
    }

    /// Writes a row. A cell has the tone of its words.
    mutating func row(_ cells: [Words]) {
        element(.tr) { writer in
            for cell in cells {
                let tone = cell.runs.lazy.compactMap(\.mark?.tone).first
                writer.element(.td, ["class": tone?.rawValue]) { $0.words(cell, isToned: true) }
            }
        }
    }

    // MARK: Words

    /// Writes words.
    ///
    /// - Parameter isToned: whether the element around them already has their tone.
    mutating func words(_ words: Words, isToned: Bool = false) {
        for run in words.runs where run.medium != .text {
            switch run.mark {
            case nil: voice(run)
            case .code?: element(.code) { $0.voice(run) }
            case .quietCode?: element(.code, ["class": "note"]) { $0.voice(run) }
            case .strong?: element(.strong) { $0.voice(run) }
            case .note?: element(.span, ["class": "note"]) { $0.voice(run) }
            case .part(let number)?: element(.a, ["href": "#part-\(number)"]) { $0.voice(run) }
            // The browser must not tell the site where the reader comes from.
            case .source(let address)? where address.hasPrefix("https://"):
                element(.a, ["href": address, "rel": "noreferrer"]) { $0.voice(run) }
            case .source(let address)?: text("\(run.text) (\(address))")
            case .tone(let style)? where !isToned:
                element(.span, ["class": style.rawValue]) { $0.element(.span, ["class": "tone"]) { $0.voice(run) } }
            case .verdict(let style, let isWarning)?:
                sign(style, isWarning: isWarning)
                text(" ")
                fallthrough
            case .tone?: element(.span, ["class": "tone"]) { $0.voice(run) }
            }
        }
    }

    private mutating func voice(_ run: Words.Run) {
        switch run.voice {
        case .program: text(run.text)
        case .stranger: isolated(run.text)
        case .path: isolated(HTMLPage.fileName(run.text))
        case .message: quoting(run.text)
        case .prose: prose(run.text)
        }
    }

    /// Writes a sign for good or bad news, before the words that say the same.
    ///
    /// - Parameter isWarning: whether it is a warning. Unknown things have another sign.
    mutating func sign(_ style: Palette.Style, isWarning: Bool = false) {
        guard let sign = isWarning && style == .unsure ? "!" : style.sign else { return }
        element(.span, ["class": "sign", "aria-hidden": "true"]) { $0.text(sign) }
    }
}

extension Words.Mark {
    fileprivate var tone: Palette.Style? {
        switch self {
        case .tone(let style), .verdict(let style, _): style
        case .code, .quietCode, .note, .strong, .part, .source: nil
        }
    }
}
