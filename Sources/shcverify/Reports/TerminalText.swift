import JSON

/// Text from strangers, made fit for a terminal.
enum TerminalText {
    /// The text with every character that could steer a terminal, or hide or reorder what is shown, replaced.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - kept: a character that is left as it is all the same.
    static func printable(_ text: String, keeping kept: Unicode.Scalar? = nil) -> String {
        guard text.unicodeScalars.contains(where: \.isUnprintable) else { return text }
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            shown.append(scalar.isUnprintable && scalar != kept ? "\u{FFFD}" : scalar)
        }
        return String(shown)
    }

    /// The text fit for a terminal, and cut to a length.
    static func printable(_ text: UTF8Text, upTo length: Int) -> String { printable(text.description, upTo: length) }

    /// The text fit for a terminal, and cut to a length.
    static func printable(_ text: String, upTo length: Int) -> String {
        // One character can be any number of scalars, so these are bounded too.
        let bounded = String(String.UnicodeScalarView(text.unicodeScalars.prefix(length * 4)))
        let isCut = bounded.count > length || bounded.utf8.count < text.utf8.count
        return isCut ? printable(String(bounded.prefix(length))) + "…" : printable(text)
    }
}
