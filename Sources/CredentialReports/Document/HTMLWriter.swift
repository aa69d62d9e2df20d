import Encodings

/// Writes HTML: blocks as the content of a page (`HTMLWriter+Blocks.swift`), in which all text is escaped here.
///
/// The names of elements and attributes are literals of this program: the types allow nothing else. Everything else is text, which
/// is always escaped.
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

    /// Adds what is markup already: what another writer has written, or the style sheet.
    mutating func add(_ part: [UInt8]) { bytes += part }

    /// Writes markup of this program as it is.
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

    /// Writes text of this program in which code stands between backticks, as in the specification.
    mutating func prose(_ text: String) {
        // By scalars: a backtick with a combining mark is another character.
        let pieces = text.unicodeScalars.split(separator: "`", omittingEmptySubsequences: false)
        // A backtick without a second one is text.
        guard pieces.count % 2 == 1 else { return self.text(text) }
        for (place, piece) in pieces.enumerated() {
            if place % 2 == 0 { self.text(String(piece)) } else { element(.code, words: Words(String(piece))) }
        }
    }

    /// Writes text from strangers. However its letters run, it cannot reorder the text around it.
    mutating func isolated(_ text: String) {
        if !text.isEmpty { element(.bdi) { $0.text(text) } }
    }

    /// Writes text in which the words of strangers are in quotation marks, such as a message, and code stands between backticks.
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
            // The quotation mark at the end begins no other string.
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

    /// Writes characters as text, which is also fit for the value of an attribute in quotation marks.
    ///
    /// Characters that could control a terminal, or hide or reorder text, are replaced. So are those that HTML does not
    /// allow.
    ///
    /// - Parameter keepsLines: whether line feeds are kept, because the text has been laid out in lines.
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
