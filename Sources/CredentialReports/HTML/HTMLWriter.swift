import StrictJSON

/// Writes the parts of an HTML page.
///
/// Elements, attributes and nearly all values of attributes are literals of this program: the types allow nothing else.
/// Everything else is text, which is always escaped.
package struct HTMLWriter {
    /// The elements that a page may have.
    package enum Element: String {
        case main, header, footer, section, article, div, details, summary
        case h1, h2, h3, h4, p, ul, li, dl, dt, dd, pre
        case table, thead, tbody, tr, th, td
        case a, span, strong, code, bdi

        /// Whether the element begins a line of the file, so that people can read it.
        fileprivate var beginsLine: Bool {
            switch self {
            case .a, .span, .strong, .code, .bdi: false
            default: true
            }
        }
    }

    /// The attributes that an element may have.
    package enum Attribute {
        /// The classes, for the style sheet.
        case style(StaticString)
        /// The title of the column, which the style sheet prints before the cell on a narrow screen.
        case column(StaticString)
        /// The number of columns of a cell.
        case width(Int)
        /// What a heading of a table is about: `col` or `rowgroup`.
        case heads(StaticString)
        /// The name of a part of the page: `part-0`.
        case part(Int)
        /// A link to a part of the page.
        case toPart(Int)
        /// A link to the address of a standard, which is this program's own text. The browser does not tell the site where the
        /// reader comes from.
        case toSource(String)
        /// Not read aloud.
        case silent
    }

    /// The text so far, in UTF-8.
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Adds what another writer has written.
    package mutating func add(_ part: some Sequence<UInt8>) { bytes += part }

    /// Writes markup of this program as it is.
    package mutating func markup(_ markup: StaticString) { bytes += markup.description.utf8 }

    /// Writes an element with its content.
    package mutating func element(_ element: Element, _ attributes: Attribute..., content: (inout HTMLWriter) -> Void) {
        if element.beginsLine { bytes.append(UInt8(ascii: "\n")) }
        bytes += "<\(element.rawValue)".utf8
        for attribute in attributes { write(attribute) }
        bytes.append(UInt8(ascii: ">"))
        content(&self)
        bytes += "</\(element.rawValue)>".utf8
    }

    /// Writes an element that contains only text.
    package mutating func element(_ element: Element, _ attribute: Attribute? = nil, text: String) {
        let content = { (writer: inout HTMLWriter) in writer.text(text) }
        if let attribute {
            self.element(element, attribute, content: content)
        } else {
            self.element(element, content: content)
        }
    }

    /// Writes a table.
    ///
    /// - Parameter rows: writes the bodies of the table.
    package mutating func table(_ style: StaticString, columns: [StaticString], rows: (inout HTMLWriter) -> Void) {
        element(.table, .style(style)) { writer in
            writer.element(.thead) { writer in
                writer.element(.tr) { writer in
                    for title in columns { writer.element(.th, .heads("col"), text: title.description) }
                }
            }
            rows(&writer)
        }
    }

    /// Writes text.
    package mutating func text(_ text: String) { HTMLText.append(text.unicodeScalars, to: &bytes) }

    /// Writes text of this program in which code stands between backticks, as in the specification.
    package mutating func prose(_ text: String) {
        // By scalars: a backtick with a combining mark is another character.
        let pieces = text.unicodeScalars.split(separator: "`", omittingEmptySubsequences: false)
        // A backtick without a second one is text.
        guard pieces.count % 2 == 1 else { return self.text(text) }
        for (place, piece) in pieces.enumerated() {
            if place % 2 == 0 { self.text(String(piece)) } else { element(.code, text: String(piece)) }
        }
    }

    /// Writes text from strangers. However its letters run, it cannot reorder the text around it.
    package mutating func isolated(_ text: String) {
        guard !text.isEmpty else { return }
        element(.bdi, text: text)
    }

    /// Writes text in which the words of strangers are in quotation marks, such as a message, and code stands between backticks.
    package mutating func quoting(_ text: String) { quote(text, keepsLines: false) }

    /// Writes a JSON value, line by line.
    mutating func json(_ value: JSONValue) {
        var writer = JSONWriter(layout: .indented, escapesUnprintable: true)
        writer.value(value)
        quote(String(decoding: writer.bytes, as: UTF8.self), keepsLines: true)
    }

    /// Isolates every string in quotation marks that is not plain ASCII.
    private mutating func quote(_ text: String, keepsLines: Bool) {
        var rest = text.unicodeScalars[...]
        while let start = rest.firstIndex(of: "\"") {
            let begin = rest.index(after: start)
            unquoted(rest[..<begin], keepsLines: keepsLines)
            let end = Self.endOfString(rest[begin...])
            let string = rest[begin..<end]
            if string.allSatisfy(\.isASCII) {
                HTMLText.append(string, to: &bytes)
            } else {
                element(.bdi) { HTMLText.append(string, to: &$0.bytes) }
            }
            rest = rest[end...]
            // The quotation mark at the end begins no other string.
            guard let mark = rest.popFirst() else { return }
            HTMLText.append(CollectionOfOne(mark), to: &bytes)
        }
        unquoted(rest, keepsLines: keepsLines)
    }

    private mutating func unquoted(_ text: Substring.UnicodeScalarView, keepsLines: Bool) {
        if keepsLines { HTMLText.append(text, keepsLines: true, to: &bytes) } else { prose(String(text)) }
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

    private mutating func write(_ attribute: Attribute) {
        switch attribute {
        case .style(let names): write("class", names.description)
        case .column(let title): write("data-column", title.description)
        case .width(let count): write("colspan", "\(count)")
        case .heads(let scope): write("scope", scope.description)
        case .part(let number): write("id", "part-\(number)")
        case .toPart(let number): write("href", "#part-\(number)")
        case .toSource(let address):
            write("href", address)
            write("rel", "noreferrer")
        case .silent: write("aria-hidden", "true")
        }
    }

    private mutating func write(_ name: StaticString, _ value: String) {
        bytes += " \(name)=\"".utf8
        text(value)
        bytes.append(UInt8(ascii: "\""))
    }
}

/// Text in HTML.
enum HTMLText {
    /// Adds characters as text, which is also fit for the value of an attribute in quotation marks.
    ///
    /// Characters that could control a terminal, or hide or reorder text, are replaced. So are those that HTML does not
    /// allow.
    ///
    /// - Parameter keepsLines: whether line feeds are kept, because the text has been laid out in lines.
    static func append(_ text: some Sequence<Unicode.Scalar>, keepsLines: Bool = false, to bytes: inout [UInt8]) {
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
