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

    /// Text that is whole lines, made fit for the log of a build server too.
    ///
    /// Such a server obeys a line that begins with `::`, white space and colours apart, and `##[`, `##vso[` or `##teamcity[`
    /// wherever it stands. So an apostrophe is put before the former, as CSV has it before formulas, and a space between any two
    /// number signs. Where a text begins a line is known only once the lines are laid out.
    static func log(_ lines: String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(lines.utf8.count + 1)
        let scalars = lines.unicodeScalars
        var isAtBegin = true
        var isInColour = false
        var isAfterNumberSign = false
        for index in scalars.indices {
            let scalar = scalars[index]
            if isAtBegin, scalar == ":", scalars[index...].dropFirst().first == ":" {
                bytes.append(UInt8(ascii: "'"))
            }
            if isAfterNumberSign, scalar == "#" { bytes.append(UInt8(ascii: " ")) }
            isAfterNumberSign = scalar == "#"
            bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            if scalar == "\n" || scalar == "\r" {
                isAtBegin = true
            } else if scalar == "\u{1B}" {
                isInColour = true
            } else if isInColour {
                isInColour = scalar != "m"
            } else if isAtBegin {
                isAtBegin = scalar.properties.isWhitespace || scalar.isUnprintable || scalar == "\u{FFFD}"
            }
        }
        return bytes
    }
}
