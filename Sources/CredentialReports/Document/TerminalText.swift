import Encodings

/// Makes text from strangers fit for a terminal.
package enum TerminalText {
    /// The text without characters that could control a terminal, or hide or reorder what it shows. Each is replaced by
    /// U+FFFD.
    package static func printable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: \.isUnprintable) else { return text }
        return escaped(text, [:], secondSign: "#")
    }

    /// The text with others in place of some characters, and U+FFFD in place of those that `printable` replaces. To Swift, CR and
    /// LF together are one character, and so are a colon and a combining mark: so it goes by scalars.
    ///
    /// - Parameter sign: what a number sign after another one becomes, since `##[` begins a command to a build server.
    package static func escaped(
        _ text: String, _ escapes: [Unicode.Scalar: String], secondSign sign: String
    ) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "#", result.last == scalar {
                result.append(contentsOf: sign.unicodeScalars)
            } else if let escape = escapes[scalar] {
                result.append(contentsOf: escape.unicodeScalars)
            } else {
                result.append(scalar.isUnprintable ? "\u{FFFD}" : scalar)
            }
        }
        return String(result)
    }

    /// The text, cut to a number of characters.
    package static func beginning(of text: String, upTo length: Int) -> String {
        // One character can have any number of scalars, so their number is limited too.
        let bounded = String(String.UnicodeScalarView(text.unicodeScalars.prefix(length * 4)))
        let isCut = bounded.count > length || bounded.utf8.count < text.utf8.count
        return isCut ? String(bounded.prefix(length)) + "…" : text
    }

    /// Whole lines, made fit for the log of a build server.
    ///
    /// A build server executes a line that begins with `::` (after optional white space and colours), and `##[`,
    /// `##vso[` or `##teamcity[` anywhere in a line. So an apostrophe is put before such a `::`, and a space between
    /// any two number signs. This works on laid-out lines, because only they show which text begins a line.
    package static func log(_ lines: String) -> [UInt8] {
        let text = Array(lines.utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count + 1)
        var isAtBegin = true
        var isInColour = false
        for (place, byte) in text.enumerated() {
            let before = place > 0 ? text[place - 1] : 0
            if byte == UInt8(ascii: "#"), before == byte { bytes.append(UInt8(ascii: " ")) }
            if isAtBegin, byte == UInt8(ascii: ":"), text[place...].dropFirst().first == byte {
                bytes.append(UInt8(ascii: "'"))
            }
            bytes.append(byte)
            if byte == 0x0A || byte == 0x0D {
                isAtBegin = true
            } else if byte == 0x1B {
                isInColour = true
            } else if isInColour {
                isInColour = byte != UInt8(ascii: "m")
            } else if isAtBegin, byte != 0x20, byte & 0xC0 != 0x80 {
                isAtBegin = mayPrecede(text[place...].prefix(4))
            }
        }
        return bytes
    }

    /// Whether the first character of some UTF-8 may stand before a command at the beginning of a line.
    private static func mayPrecede(_ bytes: ArraySlice<UInt8>) -> Bool {
        if let byte = bytes.first, (0x21...0x7E).contains(byte) { return false }
        guard let scalar = String(decoding: bytes, as: UTF8.self).unicodeScalars.first else { return false }
        return scalar.properties.isWhitespace || scalar.isUnprintable || scalar == "\u{FFFD}"
    }
}
