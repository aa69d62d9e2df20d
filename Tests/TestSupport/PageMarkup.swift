/// The markup of an HTML page that a report has written.
package enum PageMarkup {
    /// The elements in the body of a page.
    private static let elements: Set<Substring> = [
        "body", "main", "header", "footer", "section", "article", "div",
        "details", "summary", "h1", "h2", "h3", "h4", "p", "ul", "li", "dl", "dt", "dd", "pre", "table",
        "thead", "tbody", "tr", "th", "td", "a", "span", "strong", "code", "bdi",
    ]
    private static let attributes: Set<Substring> = [
        "class", "data-column", "colspan", "scope", "id", "href", "rel", "aria-hidden",
    ]

    /// What is wrong with a page: markup that no report writes, text that is not escaped, elements that do not end, or
    /// more than one style sheet.
    package static func faults(in page: String) -> [String] {
        guard let body = body(of: page) else { return ["the frame of the page is not the usual one"] }
        let (pattern, attribute) = (tag, attribute)
        var faults: [String] = []
        var open: [Substring] = []
        var rest = body.unicodeScalars[...]
        while let start = rest.firstIndex(where: { "<>&\"'".unicodeScalars.contains($0) }) {
            rest = rest[start...]
            if let reference = references.first(where: { rest.starts(with: $0.unicodeScalars) }) {
                rest = rest.dropFirst(reference.unicodeScalars.count)
                continue
            }
            guard let tag = try? pattern.prefixMatch(in: Substring(rest)) else {
                return faults + ["not escaped: \(String(Substring(rest.prefix(60))).debugDescription)"]
            }
            let name = tag.output.2
            if !elements.contains(name) { faults.append("the element \(name)") }
            for attribute in tag.output.3.matches(of: attribute) where !attributes.contains(attribute.output.1) {
                faults.append("the attribute \(attribute.output.1)")
            }
            if tag.output.1.isEmpty {
                open.append(name)
            } else if open.popLast() != name {
                faults.append("\(name) ends where it did not begin")
            }
            rest = rest[tag.range.upperBound...]
        }
        return open.isEmpty ? faults : faults + ["\(open) do not end"]
    }

    /// The text of a page, with references resolved, and the white space between words as one space.
    package static func text(of page: String) -> String {
        var text = (body(of: page) ?? "").replacing(tag, with: { inline.contains($0.output.2) ? "" : " " })
        for (reference, character) in [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#35;", "#"), ("&amp;", "&"),
        ] { text = text.replacing(reference, with: character) }
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private static let inline: Set<Substring> = ["a", "span", "strong", "code", "bdi"]
    private static let references = ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;", "&#35;"]
    /// A tag: whether it is an end, the name, and the attributes.
    private static var tag: Regex<(Substring, Substring, Substring, Substring)> {
        /<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+="[^"<>]*")*)>/.matchingSemantics(.unicodeScalar)
    }
    /// An attribute, and its name.
    private static var attribute: Regex<(Substring, Substring)> {
        /([a-z-]+)="[^"]*"/.matchingSemantics(.unicodeScalar)
    }

    /// The page without its head; nil if the head is not the one of every page.
    private static func body(of page: String) -> Substring? {
        let start = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        let styles = page.ranges(of: "<style>")
        guard page.hasPrefix(start), styles.count == 1, page.ranges(of: "</style>").count == 1,
            let end = page.firstRange(of: "</style>\n</head>\n"), page.hasSuffix("</body>\n</html>\n")
        else { return nil }
        return page[end.upperBound...].dropLast("</html>\n".count)
    }
}
