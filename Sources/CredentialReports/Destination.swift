/// The output that a report is written to: a terminal, a file or a pipe.
public struct Destination: Sendable {
    /// Whether it is a terminal. Characters in a card could control a terminal, so JSON escapes them there. Text replaces them for every
    /// destination.
    public var isTerminal: Bool
    /// The number of columns of the terminal; nil for no limit.
    public var width: Int?
    /// Whether text is coloured.
    public var isColoured: Bool

    /// - Parameters:
    ///   - isTerminal: whether it is a terminal.
    ///   - width: the number of columns of the terminal; nil for no limit.
    ///   - isColoured: whether text is coloured.
    public init(isTerminal: Bool = false, width: Int? = nil, isColoured: Bool = false) {
        self.isTerminal = isTerminal
        self.width = width
        self.isColoured = isColoured
    }
}

/// The colours of text (ECMA-48 SGR), or none if `isOn` is false. Only the renderer of text uses colours.
package struct Palette: Sendable {
    let isOn: Bool

    /// What a report expresses by the colour of words. The names are those in the style sheet of pages.
    package enum Style: String, Sendable {
        case good, bad, unsure, faint
        case heading = "plain"

        /// The sign for good or bad news, and the colour in text.
        fileprivate var look: (sign: String?, colour: String) {
            switch self {
            case .good: ("✓", "1;32")
            case .bad: ("✗", "1;31")
            case .unsure: ("?", "1;33")
            case .heading: (nil, "1")
            case .faint: (nil, "2")
            }
        }

        /// The sign for good or bad news; nil if the style is neither.
        var sign: String? { look.sign }
    }

    func callAsFunction(_ style: Style?, _ text: some StringProtocol) -> String {
        guard isOn, let style else { return String(text) }
        return "\u{1B}[\(style.look.colour)m\(text)\u{1B}[0m"
    }
}
