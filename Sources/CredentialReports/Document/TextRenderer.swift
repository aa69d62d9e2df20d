import Encodings

/// Renders blocks as lines of text: for a terminal of some width, with or without colour, or for a file.
///
/// Everything from strangers is made safe here for a terminal, and for the log of a build server.
package struct TextRenderer {
    private let palette: Palette
    private let width: Int?
    private var lines: [String] = []

    /// The text of blocks. Each line ends with a line feed.
    package static func bytes(_ blocks: [Block], to destination: Destination = Destination()) -> [UInt8] {
        var renderer = TextRenderer(palette: Palette(isOn: destination.isColoured), width: destination.width)
        renderer.write(blocks)
        return TerminalText.log(renderer.lines.map { $0 + "\n" }.joined())
    }

    private mutating func write(_ blocks: [Block], indent: Int = 0) {
        for block in blocks { write(block, indent) }
    }

    private mutating func write(_ block: Block, _ indent: Int) {
        let margin = blanks(indent)
        switch block {
        case .line(let words, let isWarning): add(words, after: margin, indent + 2, isWarning ? .bad : nil)
        case .paragraph(let words, let isNote):
            add(words, after: margin, indent, isNote ? .faint : nil)
            for case .source(let address)? in words.runs.map(\.mark) {
                lines.append(margin + palette(isNote ? .faint : nil, TerminalText.printable(address)))
            }
        case .fields(let fields):
            for (name, value) in fields {
                let columns = max(9, TextWidth.of(name) + 1)
                add(value, after: name.isEmpty ? blanks(columns) : text(Words(name, .tone(.heading)), columns), columns)
            }
        case .labelled(let name, let all):
            write(.fields(all.enumerated().map { ($0 == 0 ? name : "", $1) }), indent)
        case .list(let items): for item in items { add(item, after: margin + "  ", indent + 4) }
        case .records(let columns, _):
            addTable(columns)
        case .rows(let rows, _, let columns):
            for row in rows {
                let cells = row.filter { !$0.runs.isEmpty }
                let before = zip(cells.dropLast(), columns)
                let head = before.map { text($0, $1) }.joined()
                add(cells.last ?? "", after: margin + head, indent + before.reduce(0) { $0 + $1.1 })
            }
        case .tabbed(let rows, let titles):
            let rows = rows.map { $0.map { $0.replacing("\n", with: " ").replacing("\t", with: " ") } }
            if width != nil, !titles.isEmpty, !rows.isEmpty {
                let columns = titles.indices.map { column in
                    RecordColumn(title: titles[column], cells: rows.map { $0[column] })
                }
                write(.records(columns.filter { $0.cells.contains { !$0.isEmpty } }, groups: []), indent)
            } else {
                lines += rows.map { $0.map { TerminalText.printable($0) }.joined(separator: "\t") }
            }
        case .json(let value):
            lines.append(value.indentedText)
        case .section(let title, _, _, let blocks):
            lines.append("")
            if let title { lines.append(palette(.heading, text(title))) }
            write(blocks, indent: indent)
        case .finding(let severity, let style, let rule, _, let place, let blocks):
            // No line may begin with text from the input, because a build server might execute it as a command.
            let head = text("\(TextWidth.padded(severity, to: 8), .tone(style)) \(rule)")
            lines.append("\(margin)  \(head)" + (place.map { "  at \(text($0))" } ?? ""))
            write(blocks, indent: indent + 4)
        case .group(let label, let name, _, let blocks):
            lines.append(text(Words(label, .tone(.heading)), 7) + text(name))
            write(blocks + [.line("")], indent: indent)
        case .issuer(let name, _, let all):
            lines.append(margin + text(name))
            write(all.map { .line($0) }, indent: indent + 2)
        case .indented(let more, let blocks): write(blocks, indent: indent + more)
        case .article(_, _, let blocks), .details(_, let blocks): write(blocks, indent: indent)
        case .head, .overview: break
        }
    }

    private func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }

    /// Adds words in lines that fit the terminal, with breaks between words.
    ///
    /// - Parameters:
    ///   - head: what comes before the first line.
    ///   - columns: the number of spaces before the other lines.
    ///   - style: the look of words that have no style of their own.
    private mutating func add(_ words: Words, after head: String, _ columns: Int, _ style: Palette.Style? = nil) {
        let runs = shown(words)
        let bytes = runs.flatMap { Array($0.text.utf8) }
        // Lines of a few words would be hard to read.
        let room = width.map { max($0 - columns, 20) }
        for line in TextWidth.lines(of: runs.map(\.text).joined(), columns: room) {
            var (text, end) = ("", 0)
            for run in runs {
                let part = line.clamped(to: end..<end + run.text.utf8.count)
                end += run.text.utf8.count
                if !part.isEmpty { text += palette(run.style ?? style, String(decoding: bytes[part], as: UTF8.self)) }
            }
            lines.append((line.lowerBound == 0 ? head : blanks(columns)) + text)
        }
    }

    /// Words in one line, followed by at least one space, and by more up to a number of columns; without any if that number is 0.
    private func text(_ words: Words, _ columns: Int = 0) -> String {
        let runs = shown(words)
        let missing = columns == 0 ? 0 : max(1, columns - runs.reduce(0) { $0 + TextWidth.of($1.text) })
        return runs.map { palette($0.style, $0.text) }.joined() + blanks(missing)
    }

    /// Words made safe for a terminal, with their look.
    private func shown(_ words: Words) -> [(text: String, style: Palette.Style?)] {
        words.runs.filter { $0.medium != .page }.map { run in
            let text = TerminalText.printable(run.text)
            switch run.mark {
            case .tone(let style): return (text, style)
            case .verdict(let style, _): return ((palette.isOn ? style.sign.map { "\($0) " } ?? "" : "") + text, style)
            case .code, .quietCode, .note, .strong, .part, .source, nil: return (text, nil)
            }
        }
    }

    // MARK: Tables

    private static let gap = "  "
    /// The minimum width of a cell.
    private static let narrowest = 10

    /// Adds records as a table that fits the terminal. Cells that are wider than their column take several lines. If the terminal is too
    /// narrow for the columns, each cell gets its own line.
    private mutating func addTable(_ columns: [RecordColumn]) {
        let titles = columns.map(\.title)
        let cells = columns.map { $0.cells.map { TerminalText.printable($0) } }
        let records = columns.first?.cells.indices ?? 0..<0
        var widths = zip(titles, cells).map { title, cells in (cells + [title]).map { TextWidth.of($0) }.max() ?? 0 }
        if let width {
            let total = { widths.reduce(0) { $0 + $1 + Self.gap.utf8.count } }
            // The widest columns are made narrower.
            while total() > width, let widest = widths.indices.max(by: { widths[$0] < widths[$1] }),
                widths[widest] > Self.narrowest
            {
                widths[widest] -= 1
            }
            guard total() <= width else {
                for record in records {
                    let named = zip(titles, cells).filter { !$0.1[record].isEmpty }
                    for (place, (title, cells)) in named.enumerated() {
                        add("\(title): \(cells[record])", after: blanks(place == 0 ? 2 : 4), 6)
                    }
                }
                return
            }
        }
        let line = { (cells: [String]) in
            var line = zip(cells, widths).map { TextWidth.padded($0, to: $1) }.joined(separator: Self.gap)[...]
            while line.last == " " { line.removeLast() }
            return String(line)
        }
        lines.append(Self.gap + palette(.faint, line(titles)))
        for record in records {
            let parts = zip(cells, widths).map { TextWidth.cell($0[record], columns: $1) }
            for number in 0..<(parts.map(\.count).max() ?? 0) {
                lines.append(Self.gap + line(parts.map { $0.indices.contains(number) ? $0[number] : "" }))
            }
        }
    }
}

/// Measures and cuts text by the columns that it takes on a terminal.
package enum TextWidth {
    /// The number of columns of a text: two for a wide character, none for a combining mark.
    package static func of(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + of($1) } }

    /// The lines of a cell, with breaks between words, and inside a word that is wider than the cell.
    static func cell(_ text: String, columns: Int) -> [String] {
        let bytes = Array(text.utf8)
        return lines(of: text, columns: columns).flatMap { line in
            var (parts, width) = ([""], 0)
            for character in String(decoding: bytes[line], as: UTF8.self) {
                width += of(character)
                if width > columns, !parts[parts.count - 1].isEmpty {
                    parts.append("")
                    width = of(character)
                }
                parts[parts.count - 1].append(character)
            }
            return parts
        }
    }

    /// The text, followed by spaces up to a number of columns.
    package static func padded(_ text: String, to columns: Int) -> String {
        text + String(repeating: " ", count: max(0, columns - of(text)))
    }

    /// The lines of a text, with breaks between words, as ranges of its UTF-8. A single word may be wider than `columns`. Without a limit,
    /// there is one line.
    static func lines(of text: String, columns: Int?) -> [Range<Int>] {
        guard let columns else { return [0..<text.utf8.count] }
        var lines: [Range<Int>] = []
        var (start, end, width) = (0, -1, 0)
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let (place, wordWidth) = (end + 1, of(word))
            if width > 0, width + 1 + wordWidth > columns {
                lines.append(start..<end)
                (start, width) = (place, 0)
            }
            width += wordWidth + (place > start ? 1 : 0)
            end = place + word.utf8.count
        }
        return lines + [start..<end]
    }

    private static func of(_ character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        if scalar.value < 0x300 { return 1 }
        if scalar.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}") { return 2 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return wide.contains { $0.contains(scalar.value) } ? 2 : 1
        }
    }

    /// The blocks of East Asian Wide and Fullwidth characters (Unicode Standard Annex 11).
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x17000...0x18DFF, 0x1B000...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD,
    ]
}

/// Makes text from strangers safe for a terminal.
package enum TerminalText {
    /// The text without characters that could control a terminal, or hide or reorder what it shows. Each is replaced by U+FFFD.
    package static func printable(_ text: String) -> String {
        if text.isInvisible { return String(repeating: "\u{FFFD}", count: text.unicodeScalars.count) }
        guard text.unicodeScalars.contains(where: \.isUnprintable) else { return text }
        return escaped(text, [:], secondSign: "#")
    }

    /// The text with some characters replaced, and with U+FFFD in place of those that `printable` replaces. For Swift, CR and LF together
    /// are one character, and so are a colon and a combining mark. So this works on scalars.
    ///
    /// - Parameter sign: the replacement for a number sign after another one, because `##[` begins a command to a build server.
    package static func escaped(
        _ text: String, _ escapes: [Unicode.Scalar: String], secondSign sign: String
    ) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "#", result.last == scalar {
                result.append(contentsOf: sign.unicodeScalars)
            } else if let escape = escapes[scalar] {
                result.append(contentsOf: escape.unicodeScalars)
            } else {
                result.append(scalar.isUnprintable ? "\u{FFFD}" : scalar)
            }
        }
        return String(result)
    }

    /// The text, cut to a number of characters.
    package static func beginning(of text: String, upTo length: Int) -> String {
        // One character can have any number of scalars, so the number of scalars is limited too.
        let bounded = String(String.UnicodeScalarView(text.unicodeScalars.prefix(length * 4)))
        let isCut = bounded.count > length || bounded.utf8.count < text.utf8.count
        return isCut ? String(bounded.prefix(length)) + "…" : text
    }

    /// Whole lines, made safe for the log of a build server.
    ///
    /// A build server executes a line that begins with `::` (after optional white space and colours), and `##[`, `##vso[` or `##teamcity[`
    /// anywhere in a line. So an apostrophe is put before such a `::`, and a space between any two number signs. This needs laid-out lines,
    /// because only they show which text begins a line.
    package static func log(_ lines: String) -> [UInt8] {
        let text = Array(lines.utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count + 1)
        var isAtBegin = true
        var isInColour = false
        for (place, byte) in text.enumerated() {
            let before = place > 0 ? text[place - 1] : 0
            if byte == UInt8(ascii: "#"), before == byte { bytes.append(UInt8(ascii: " ")) }
            if isAtBegin, byte == UInt8(ascii: ":"), text[place...].dropFirst().first == byte {
                bytes.append(UInt8(ascii: "'"))
            }
            bytes.append(byte)
            if byte == 0x0A || byte == 0x0D {
                isAtBegin = true
            } else if byte == 0x1B {
                isInColour = true
            } else if isInColour {
                isInColour = byte != UInt8(ascii: "m")
            } else if isAtBegin, byte != 0x20, byte & 0xC0 != 0x80 {
                isAtBegin = mayPrecede(text[place...].prefix(4))
            }
        }
        return bytes
    }

    /// Whether a command at the beginning of a line may follow the first character of some UTF-8.
    private static func mayPrecede(_ bytes: ArraySlice<UInt8>) -> Bool {
        if let byte = bytes.first, (0x21...0x7E).contains(byte) { return false }
        guard let scalar = String(decoding: bytes, as: UTF8.self).unicodeScalars.first else { return false }
        return scalar.properties.isWhitespace || scalar.isUnprintable || scalar == "\u{FFFD}"
    }
}
