package import Encodings

/// Words of a report for people, without their look: `"issuer \(name, upTo: 200), \(count) keys"`.
///
/// The literals are words of this program. All else has a voice, by which a renderer escapes it: a report escapes nothing itself.
package struct Words: ExpressibleByStringInterpolation, StringInterpolationProtocol, Sendable {
    /// Who speaks.
    enum Voice {
        case program
        /// Text from strangers. On a page it cannot reorder the text around it.
        case stranger
        /// The path of a file. A page names it without its folders.
        case path
        /// A message, in which the words of strangers are in quotation marks, and code stands between backticks.
        case message
        /// Words of this program in which code stands between backticks.
        case prose
    }

    /// What some of the words stand for.
    package enum Mark: Sendable {
        case tone(Palette.Style)
        /// A verdict, with a sign before it. In text it has one only together with colour: scripts look for the word after it.
        case verdict(Palette.Style, isWarning: Bool = false)
        case code, quietCode, note, strong
        /// A link to a part of the page.
        case part(Int)
        /// The address of a standard. Text has it on a line of its own.
        case source(String)
    }

    /// What a report is rendered for.
    enum Medium { case text, page }

    struct Run {
        let text: String
        let voice: Voice
        let mark: Mark?
        /// The only medium that has the words; nil if both have them.
        let medium: Medium?
    }

    private(set) var runs: [Run] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}
    package init(stringInterpolation words: Words) { self = words }
    package init(stringLiteral text: String) { self.init(text) }

    package init(_ text: String, _ mark: Mark? = nil) { add(text, mark: mark) }

    private mutating func add(_ text: String, _ voice: Voice = .program, mark: Mark? = nil, in medium: Medium? = nil) {
        if !text.isEmpty { runs.append(Run(text: text, voice: voice, mark: mark, medium: medium)) }
    }

    package mutating func appendLiteral(_ text: String) { add(text) }

    package mutating func appendInterpolation(_ text: String, _ mark: Mark? = nil) { add(text, mark: mark) }

    package mutating func appendInterpolation(_ number: Int) { add("\(number)") }

    package mutating func appendInterpolation(_ words: Words) { runs += words.runs }

    /// Text from strangers, cut to a number of characters.
    package mutating func appendInterpolation(_ text: UTF8Text, upTo length: Int, _ mark: Mark? = nil) {
        appendInterpolation(from: text.description, upTo: length, mark)
    }

    /// Text from strangers, cut to a number of characters.
    package mutating func appendInterpolation(from text: String, upTo length: Int? = nil, _ mark: Mark? = nil) {
        add(length.map { TerminalText.beginning(of: text, upTo: $0) } ?? text, .stranger, mark: mark)
    }

    package mutating func appendInterpolation(path: String, _ mark: Mark? = nil) { add(path, .path, mark: mark) }

    package mutating func appendInterpolation(message: String) { add(message, .message) }

    package mutating func appendInterpolation(prose: String) { add(prose, .prose) }

    /// Words that only text has.
    package mutating func appendInterpolation(text: String) { add(text, in: .text) }

    /// Words that only a page has.
    package mutating func appendInterpolation(page: String, _ mark: Mark? = nil) { add(page, mark: mark, in: .page) }

    /// An issuer with its name, if it has one, and its URL.
    package mutating func appendInterpolation(issuer name: UTF8Text?, at url: String, _ mark: Mark? = nil) {
        if let name { appendInterpolation("\(name, upTo: 200)\(text: " (")\(page: " ")" as Words) }
        appendInterpolation(from: url, upTo: 300, mark)
        if name != nil { appendInterpolation(text: ")") }
    }
}
