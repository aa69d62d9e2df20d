/// The rules for a narrative's `div` (narrative.html, json.html#narrative): one well-formed `<div>` in the XHTML
/// namespace with content, without scripts, forms and embedded documents.
struct XHTML {
    private let text: ArraySlice<UInt8>
    private var here: Int
    /// The names of the open elements.
    private var open: [ArraySlice<UInt8>] = []
    private var hasContent = false

    /// Elements that a narrative must not contain: all of HTML 4.0 except text, lists, tables, links and images.
    private static let forbidden: [StaticString] = [
        "script", "form", "input", "button", "select", "textarea", "iframe", "frame", "frameset", "object", "applet",
        "embed", "base", "link", "meta", "head", "body", "html", "title", "style",
    ]

    /// Why a `div` is not valid; nil if it is.
    static func objection(to bytes: [UInt8]) -> String? {
        var text = bytes[...]
        while let last = text.last, Primitive.isWhiteSpace(last) { text.removeLast() }
        while let first = text.first, Primitive.isWhiteSpace(first) { text.removeFirst() }
        var reader = XHTML(text: text, here: text.startIndex)
        return reader.read()
    }

    private init(text: ArraySlice<UInt8>, here: Int) {
        self.text = text
        self.here = here
    }

    private mutating func read() -> String? {
        guard text.starts(with: "<div".utf8) else { return "it is not a <div> element" }
        var isFirst = true
        while here < text.endIndex {
            guard isFirst || !open.isEmpty else { return "something follows the <div> element" }
            switch text[here] {
            case UInt8(ascii: "<"):
                if let objection = readMarkup(isFirst: isFirst) { return objection }
                isFirst = false
            case UInt8(ascii: "&"):
                guard readEntity() else { return "it contains an entity that XML does not define" }
                hasContent = true
            default:
                hasContent = hasContent || !Primitive.isWhiteSpace(text[here])
                here += 1
            }
        }
        guard open.isEmpty else { return Self.notWellFormed }
        return hasContent ? nil : "it has no content"
    }

    private static let notWellFormed = "it is not well formed"

    /// A tag or a comment.
    private mutating func readMarkup(isFirst: Bool) -> String? {
        if text[here...].starts(with: "<!--".utf8) { return skipComment() }
        guard let end = endOfTag() else { return Self.notWellFormed }
        var tag = text[(here + 1)..<end]
        here = end + 1
        let isEnd = tag.first == UInt8(ascii: "/")
        if isEnd { tag.removeFirst() }
        let isEmpty = tag.last == UInt8(ascii: "/")
        let name = tag.prefix { !Primitive.isWhiteSpace($0) && $0 != UInt8(ascii: "/") }
        guard let first = name.first, (0x41...0x5A).contains(first & ~0x20) else { return Self.notWellFormed }
        if isFirst {
            guard name.elementsEqual("div".utf8) else { return "it is not a <div> element" }
            guard Self.hasNamespace(tag) else {
                return "the <div> is not in the namespace http://www.w3.org/1999/xhtml"
            }
        }
        if isEnd {
            return open.popLast()?.elementsEqual(name) == true ? nil : Self.notWellFormed
        }
        if name.elementsEqual("img".utf8) { hasContent = true }
        // No real narrative is nested so deeply. Without a limit, a hostile one could use up memory.
        guard open.count < 128 else { return Self.notWellFormed }
        if !isEmpty { open.append(name) }
        let lower = name.prefix(16).map { $0 | 0x20 }
        if let forbidden = Self.forbidden.first(where: { String(describing: $0).utf8.elementsEqual(lower) }) {
            return "it contains the element <\(forbidden)>"
        }
        return nil
    }

    /// The `>` that ends a tag, not one in quotation marks.
    private func endOfTag() -> Int? {
        var quote: UInt8?
        var index = here + 1
        while index < text.endIndex {
            let byte = text[index]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return index
            } else if byte == UInt8(ascii: "<") {
                return nil
            }
            index += 1
        }
        return nil
    }

    private mutating func skipComment() -> String? {
        var index = here + 4
        while index + 2 < text.endIndex {
            if text[index] == UInt8(ascii: "-"), text[index + 1] == UInt8(ascii: "-"),
                text[index + 2] == UInt8(ascii: ">")
            {
                here = index + 3
                return nil
            }
            index += 1
        }
        return Self.notWellFormed
    }

    /// Reads a numeric reference, or one of the five named entities of XML.
    private mutating func readEntity() -> Bool {
        let name = text[(here + 1)...].prefix(10).prefix { $0 != UInt8(ascii: ";") }
        guard text[(here + 1)...].dropFirst(name.count).first == UInt8(ascii: ";") else { return false }
        here += name.count + 2
        if name.first == UInt8(ascii: "#") { return name.count > 1 }
        return (["amp", "lt", "gt", "quot", "apos"] as [StaticString])
            .contains { String(describing: $0).utf8.elementsEqual(name) }
    }

    private static func hasNamespace(_ tag: ArraySlice<UInt8>) -> Bool {
        let wanted = Array("http://www.w3.org/1999/xhtml".utf8)
        // After a split at quotation marks, an attribute's value follows its name.
        let parts = tag.split(
            omittingEmptySubsequences: false, whereSeparator: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") })
        for (attribute, value) in zip(parts, parts.dropFirst()) where value.elementsEqual(wanted) {
            let name = attribute.filter { !Primitive.isWhiteSpace($0) }
            if name.suffix(6).elementsEqual("xmlns=".utf8) { return true }
        }
        return false
    }
}
