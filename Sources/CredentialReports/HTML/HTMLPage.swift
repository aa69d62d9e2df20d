import Bytes
package import Credentials
import Cryptography

/// The frame of a page: its head, its headline and its end. A report writes its content between them.
///
/// The page is one file. It has no script and makes no request, and its content-security policy forbids both.
package struct HTMLPage {
    /// What the page says first, also the title of its window.
    package let headline: String
    /// Whether that is good or bad news.
    package let style: Palette.Style
    /// Whether there are warnings and nothing worse.
    package var isWarning: Bool
    /// The program and the time, for the last line.
    package let origin: String

    package init(headline: String, style: Palette.Style, isWarning: Bool = false, origin: String) {
        self.headline = headline
        self.style = style
        self.isWarning = isWarning
        self.origin = origin
    }

    /// Writes everything that comes before the content.
    ///
    /// - Parameter more: writes what follows the headline.
    package func begin(to writer: inout HTMLWriter, more: (inout HTMLWriter) -> Void = { _ in }) {
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
        writer.markup(HTMLStyle.sheet)
        writer.markup("</style>\n</head>\n<body>\n<main>")
        writer.element(.header, .style(style.name)) { writer in
            Self.sign(style, isWarning: isWarning, to: &writer)
            writer.element(.div) { writer in
                writer.element(.h1, text: headline)
                more(&writer)
            }
        }
    }

    /// Writes everything that comes after the content.
    ///
    /// - Parameter note: a sentence for the reader; nil for none.
    package func end(to writer: inout HTMLWriter, note: String? = nil) {
        writer.element(.footer) { writer in
            writer.element(.p, text: origin)
            if let note { writer.element(.p, text: note) }
        }
        writer.markup("\n</main>\n</body>\n</html>\n")
    }

    /// What a reader should know who was given a page about verified cards.
    package static let caution =
        "Anyone can write a page that looks like this one. To be sure, verify the cards yourself."

    /// The name of a file, or of a card in one, without its folders.
    package static func fileName(_ path: String) -> String {
        let name =
            path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) } ?? path
        return TerminalText.printable(name, upTo: 300)
    }

    /// Writes a line with a time, and with the directories that were used.
    ///
    /// - Parameters:
    ///   - words: the words before the time.
    ///   - lists: the names of the directories, as they were given.
    package static func date(_ words: String, _ time: NumericDate, lists: [String], to writer: inout HTMLWriter) {
        date("\(words) \(time.toTheSecond)", lists: lists, to: &writer)
    }

    /// Writes a line that says as of when cards were verified, and with which directories.
    package static func date(_ time: VerificationTime, lists: [String], to writer: inout HTMLWriter) {
        let words =
            switch time.moment {
            case .now: "As of \(time.madeAt.toTheSecond)"
            case .given(let moment): "As of \(moment.toTheSecond), not now"
            case .issue: "As of the issue of each card, not now"
            }
        date(words, lists: lists, to: &writer)
    }

    private static func date(_ words: String, lists: [String], to writer: inout HTMLWriter) {
        writer.element(.p) { writer in
            writer.text(words)
            for (place, list) in lists.enumerated() {
                writer.text(place > 0 ? ", " : lists.count > 1 ? "; directories: " : "; directory: ")
                writer.isolated(fileName(list))
            }
        }
    }

    /// Writes a sign for good or bad news, before the words that say the same.
    ///
    /// - Parameter isWarning: whether it is a warning. What is not known has another sign.
    package static func sign(_ style: Palette.Style, isWarning: Bool = false, to writer: inout HTMLWriter) {
        guard let sign = isWarning && style == .unsure ? "!" : style.sign else { return }
        writer.element(.span, .style("sign"), .silent) { $0.text(sign) }
    }
}

extension Palette.Style {
    /// The class in the style sheet.
    package var name: StaticString {
        switch self {
        case .good: "good"
        case .bad: "bad"
        case .unsure: "unsure"
        case .heading: "plain"
        case .faint: "faint"
        }
    }
}

extension HTMLStyle {
    /// The content-security policy of every page: its own style sheet, and nothing else.
    static let policy =
        "default-src 'none'; style-src 'sha256-\(Base64.encode(SHA256.digest(Array(sheet.description.utf8))))'; "
        + "base-uri 'none'; form-action 'none'"
}
