import JSON

/// XML 1.0 text.
enum XML {
    /// The text as character data or, in quotation marks, as an attribute's value.
    ///
    /// What XML has no place for (§2.2), and what could steer a terminal, is replaced. White space is written as
    /// references, since a parser makes spaces of it in attributes (§3.3.3).
    static func text(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            case "<": result.append(contentsOf: "&lt;".unicodeScalars)
            case ">": result.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
            case "'": result.append(contentsOf: "&apos;".unicodeScalars)
            // Two in a row are how a build server's commands begin (`##[`).
            case "#" where result.last == "#": result.append(contentsOf: "&#35;".unicodeScalars)
            case "\n": result.append(contentsOf: "&#10;".unicodeScalars)
            default: result.append(scalar.isUnprintable ? "\u{FFFD}" : scalar)
            }
        }
        return String(result)
    }

    /// A tag's beginning with its attributes, in their order; those without a value are left out.
    static func tag(_ name: String, _ attributes: [(name: String, value: String?)]) -> String {
        attributes.reduce("<\(name)") { tag, attribute in
            attribute.value.map { "\(tag) \(attribute.name)=\"\(text($0))\"" } ?? tag
        }
    }
}
