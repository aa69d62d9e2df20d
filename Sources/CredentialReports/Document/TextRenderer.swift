import Encodings

/// Blocks as lines of text: for a terminal of some width, with or without colour, or for a file.
///
/// Everything from strangers is made fit for a terminal here, and for the log of a build server.
package struct TextRenderer {
    private let palette: Palette
    private let width: Int?
    private var lines: [String] = []

    /// The text of blocks, whose lines are all ended.
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
                lines.append(margin + palette(isNote ? .faint : nil, address))
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
            // No line begins with text from the input: a build server might execute it as a command.
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

    /// Adds words in lines that fit the terminal, broken between words.
    ///
    /// - Parameters:
    ///   - head: what stands before the first of the lines.
    ///   - columns: the number of blanks before the others.
    ///   - style: the look of words that have none of their own.
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

    /// Words in one line, with blanks after them up to a number of columns, at least one; without any if it is 0.
    private func text(_ words: Words, _ columns: Int = 0) -> String {
        let runs = shown(words)
        let missing = columns == 0 ? 0 : max(1, columns - runs.reduce(0) { $0 + TextWidth.of($1.text) })
        return runs.map { palette($0.style, $0.text) }.joined() + blanks(missing)
    }

    /// Words fit for a terminal, with their look.
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
    /// The columns that a cell always has.
    private static let narrowest = 10

    /// Adds records as a table that fits the terminal. Cells that are wider than their column take several lines. If the terminal is too
    /// narrow for the columns, each cell has a line of its own.
    private mutating func addTable(_ columns: [RecordColumn]) {
        let titles = columns.map(\.title)
        let cells = columns.map { $0.cells.map { TerminalText.printable($0) } }
        let records = columns.first?.cells.indices ?? 0..<0
        var widths = zip(titles, cells).map { title, cells in (cells + [title]).map { TextWidth.of($0) }.max() ?? 0 }
        if let width {
            let total = { widths.reduce(0) { $0 + $1 + Self.gap.utf8.count } }
            // The widest columns are narrowed.
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
