import CData
import Encodings

/// A numbered fact of the specification: what a rule that cites this number relies on.
///
/// The numbers are this project's own, since the specification has none. The program has the texts of `docs/specification.md`.
package struct SpecificationFact: Sendable {
    /// `SHC-K3`
    package let number: String
    /// What the specification says, in our words.
    package let text: String
    /// The section of the specification.
    package let url: String

    /// Every fact, in the order of the page.
    package static let all = read(Array(unsafe EmbeddedFile(data_specification)))

    /// The sections of the specification, by the numbers of the facts.
    static let urls = Dictionary(all.map { ($0.number, $0.url) }) { first, _ in first }

    /// Reads the page. An entry is a heading such as `### SHC-K3`, the text in paragraphs, and the address in angle brackets.
    private static func read(_ page: [UInt8]) -> [SpecificationFact] {
        var facts: [SpecificationFact] = []
        var number: String?
        var lines: [String] = []
        for line in page.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let text = String(decoding: line, as: UTF8.self)
            if text.hasPrefix("### ") {
                (number, lines) = (String(text.dropFirst(4)), [])
            } else if let found = number, text.hasPrefix("<") {
                let paragraphs = lines.split(whereSeparator: \.isEmpty).map { $0.joined(separator: " ") }
                let url = String(text.dropFirst().dropLast())
                facts.append(SpecificationFact(number: found, text: paragraphs.joined(separator: "\n\n"), url: url))
                number = nil
            } else {
                lines.append(text)
            }
        }
        return facts
    }

    /// The fact of a number, in upper or lower case; nil if there is none.
    package static func of(_ number: String) -> SpecificationFact? {
        guard number.utf8.count <= 16 else { return nil }
        let upperCase = number.utf8.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
        return all.first { $0.number.utf8.elementsEqual(upperCase) }
    }
}
