import CData
import Credentials
import Cryptography
import Encodings

/// The frame of a page: its head, its headline and its end. The blocks of a report are between them.
///
/// The page is a single file. It has no script and makes no request, and its content security policy forbids both.
package struct HTMLPage {
    /// What the page says first. It is also the title of the window.
    let headline: String
    /// Whether that is good or bad news.
    let style: Palette.Style
    /// Whether there are warnings, and nothing worse.
    let isWarning: Bool
    /// What follows the headline.
    let lead: [Words]
    /// The program and the time, for the last line, and a sentence for the reader.
    let foot: [String]

    package init(
        headline: String, style: Palette.Style, isWarning: Bool = false, lead: [Words], foot: String...
    ) {
        self.headline = headline
        self.style = style
        self.isWarning = isWarning
        self.lead = lead
        self.foot = foot
    }

    /// Writes the page.
    ///
    /// - Parameters:
    ///   - blocks: the content. Each block is rendered separately.
    ///   - pieces: more content, which is already rendered.
    package func write(
        _ blocks: [Block], then pieces: WaitingPieces = WaitingPieces(), to sink: ReportSink
    ) throws {
        var part = ReportPart()
        try part.add(HTMLWriter.bytes(begin), to: sink)
        for block in blocks { try part.add(HTMLWriter.bytes { $0.write([block]) }, to: sink) }
        try pieces.each { try part.add($0, to: sink) }
        try part.add(HTMLWriter.bytes(end), to: sink)
        try part.flush(to: sink)
    }

    private func end(_ writer: inout HTMLWriter) {
        writer.element(.footer) { $0.write(foot.map { .line(Words($0)) }) }
        writer.markup("\n</main>\n</body>\n</html>\n")
    }

    private func begin(_ writer: inout HTMLWriter) {
        writer.markup(
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="
            """)
        writer.text(HTMLStyle.policy)
        writer.markup(
            """
            ">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="referrer" content="no-referrer">
            <meta name="color-scheme" content="light dark">
            <title>
            """)
        writer.text(headline)
        writer.markup("</title>\n<style>")
        writer.add(HTMLStyle.sheet)
        writer.markup("</style>\n</head>\n<body>\n<main>")
        writer.write([.head(headline, style, isWarning: isWarning, level: 1, lead)])
    }

    /// What somebody who was given a page about verified cards should know.
    static let caution = "Anyone can write a page that looks like this one. To be sure, verify the cards yourself."

    /// The name of a file, or of a card in one, without its folders.
    static func fileName(_ path: String) -> String {
        let name =
            path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) } ?? path
        return TerminalText.beginning(of: name, upTo: 300)
    }
}

extension Words {
    /// What a report was made with: the time, in words, and the directories, as they were given.
    package init(_ time: String, lists: [String]) {
        self.init(time)
        for (place, list) in lists.enumerated() {
            appendInterpolation(place > 0 ? ", " : lists.count > 1 ? "; directories: " : "; directory: ")
            appendInterpolation(path: list)
        }
    }

    /// The time for which cards were verified, and the directories that were used.
    init(_ time: VerificationTime, lists: [String]) {
        let words =
            switch time.moment {
            case .now: "As of \(time.madeAt.toTheSecond)"
            case .given(let moment): "As of \(moment.toTheSecond), not now"
            case .issue: "As of the issue of each card, not now"
            }
        self.init(words, lists: lists)
    }
}

/// The look of all pages.
///
/// Each colour of text has a contrast of at least 4.5 to 1 with its background (WCAG 2.2, 1.4.3). `make pages-check` measures it.
enum HTMLStyle {
    /// The style sheet, without the end of its last line. On a narrow screen, or with many columns, each record of a table is a block of
    /// lines. Print is always dark on white.
    // Unsafe: the file is constant.
    static let sheet = Array(unsafe EmbeddedFile(data_style).dropLast())

    /// The content security policy of every page: its own style sheet, and nothing else.
    static let policy =
        "default-src 'none'; style-src 'sha256-\(Base64.encode(SHA256.digest(sheet)))'; base-uri 'none'; form-action 'none'"
}
