import Credentials
import Encodings

/// The text of a card that is inside something else, or whose characters were changed in transit.
///
/// Only what has one possible meaning is undone: the text must begin in a way that says what was done to it, and all that is left must be
/// a card. A link is not taken out, because nothing is fetched for what was found this way.
enum WrappedText {
    /// The text of a card, and a warning for each step that led to it; nil if the text is as it should be, or is no card.
    static func unwrapped(_ whole: ArraySlice<UInt8>) -> (text: [UInt8], warnings: [CredentialWarning])? {
        var text = whole
        var warnings: [CredentialWarning] = []
        while warnings.count < mostSteps, let (inner, code, words) = step(text) {
            text = inner[...].trimmingByteOrderMarks()
            warnings.add(code, words)
        }
        guard !warnings.isEmpty, InputForm.isCard(text) || text.first.map({ "{[".utf8.contains($0) }) ?? false else {
            return nil
        }
        return (Array(text), warnings)
    }

    /// Each takes time in proportion to the text.
    private static let mostSteps = 4

    private static func step(_ text: ArraySlice<UInt8>) -> ([UInt8], CredentialWarning.Code, String)? {
        guard let first = text.first else { return nil }
        switch first | 0x20 {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            return unquoted(text).map {
                ($0, .textRepaired, "the text stood between quotation marks, which were left out")
            }
        case UInt8(ascii: "d"):
            return DataURL.content(of: text).map {
                ($0, .textWasInside, "the text stood in a data URL, and was taken from there")
            }
        case UInt8(ascii: "h") where InputForm.isURL(text):
            guard let mark = text.firstIndex(of: UInt8(ascii: "#")), !text.contains(where: { $0 <= 0x20 }) else {
                return nil
            }
            let fragment = text[(mark + 1)...]
            // The JSON of a card file is what belongs there.
            guard fragment.first != UInt8(ascii: "{"), !InputForm.begins(fragment, with: "%7b") else { return nil }
            return (Array(fragment), .textWasInside, "the text stood behind the # of a URL, and was taken from there")
        default: break
        }
        if KnownPrefixes.percentEncoded.contains(where: { InputForm.begins(text, with: $0) }) {
            return percentDecoded(text).map {
                ($0, .textRepaired, "the text was percent-encoded, as in a URL, which was undone")
            }
        }
        if InputForm.begins(text, with: #"shc:\/"#) {
            return (
                text.filter { $0 != UInt8(ascii: "\\") }, .textRepaired,
                #"the slashes were written as \/, as in JSON, which was undone"#
            )
        }
        return typed(text).map {
            ($0, .textRepaired, "the text was typed through another keyboard layout, and the : and / were set right")
        }
    }

    /// A text between quotation marks, followed by a comma or not, as in JSON or source code.
    private static func unquoted(_ whole: ArraySlice<UInt8>) -> [UInt8]? {
        let end = whole.last.map { ",;".utf8.contains($0) } ?? false
        let text = end ? whole.dropLast().trimmingWhiteSpace() : whole
        guard text.count > 2, text.last == text.first else { return nil }
        if let string = (try? JSONDocument.parse(Array(text)))?.stringBytes { return string }
        let inside = text.dropFirst().dropLast()
        return inside.contains { $0 == text.first } ? nil : Array(inside)
    }

    private static func percentDecoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        // The encoding of forms has + for a space, and then %2B for a plus sign.
        let plus = UInt8(ascii: "+")
        let isForm = text.contains(plus) && text.indices.contains { InputForm.begins(text[$0...], with: "%2b") }
        return PercentEncoding.decode(isForm ? text.map { $0 == plus ? 0x20 : $0 } : Array(text))
    }

    /// The text of a QR code that a scanner typed through a keyboard layout with other characters for `:` and `/`, but the same digits.
    private static func typed(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard InputForm.begins(text, with: "shc") else { return nil }
        let rest = text.dropFirst(3)
        // Two characters of one byte or two. Which of them is wrong would be a guess if both are right.
        let begin = rest.prefix(5).prefix { !$0.isDigit && $0 > 0x20 }
        guard (2...4).contains(begin.count), !begin.starts(with: ":/".utf8) else { return nil }
        let groups = rest.split(whereSeparator: { !$0.isDigit })
        let slashes = zip(groups, groups.dropFirst()).map { rest[$0.endIndex..<$1.startIndex] }
        guard let digits = groups.last, digits.count >= 20, digits.endIndex == rest.endIndex,
            groups.count == 3 || groups.count == 1 && digits.starts(with: "567629".utf8),
            slashes.allSatisfy({ $0.count < begin.count && begin.suffix($0.count) == $0 })
        else { return nil }
        return Array("shc:/".utf8) + groups.joined(separator: "/".utf8)
    }
}

/// A URL with its content in it (RFC 2397).
package enum DataURL {
    /// The content of a data URL; nil for other texts, and if it cannot be decoded or is a data URL itself.
    ///
    /// - Parameter whole: the text, with white space around it or not.
    package static func content(of whole: ArraySlice<UInt8>) -> [UInt8]? {
        let text = whole.trimmingByteOrderMarks()
        guard InputForm.begins(text, with: "data:"),
            let comma = text.prefix(longestType).firstIndex(of: UInt8(ascii: ","))
        else { return nil }
        let data = text[(comma + 1)...]
        let plain = data.contains(UInt8(ascii: "%")) ? PercentEncoding.decode(data) : Array(data)
        let isBase64 = InputForm.begins(text[..<comma].suffix(7), with: ";base64")
        let content = isBase64 ? plain.flatMap { Base64.decodeInAnyAlphabet($0.filter { $0 > 0x20 }) } : plain
        return content.flatMap { InputForm.begins($0[...].trimmingByteOrderMarks(), with: "data:") ? nil : $0 }
    }

    private static let longestType = 256
}
