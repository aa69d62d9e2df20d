/// The output that a report is written to: a terminal, a file or a pipe.
public struct Destination: Sendable {
    /// Whether it is a terminal. Characters in a card could control a terminal, so JSON escapes them there. Text
    /// replaces them for every destination.
    public var isTerminal: Bool
    /// The number of columns of the terminal; nil for no limit.
    public var width: Int?
    /// Whether text is coloured.
    public var isColoured: Bool
    /// Whether the reader sees standard error next to the report. If so, text does not repeat its messages.
    public var showsMessages: Bool

    /// - Parameters:
    ///   - isTerminal: whether it is a terminal.
    ///   - width: the number of columns of the terminal; nil for no limit.
    ///   - isColoured: whether text is coloured.
    ///   - showsMessages: whether the reader sees standard error next to the report.
    public init(isTerminal: Bool = false, width: Int? = nil, isColoured: Bool = false, showsMessages: Bool = false) {
        self.isTerminal = isTerminal
        self.width = width
        self.isColoured = isColoured
        self.showsMessages = showsMessages
    }

    package var palette: Palette { Palette(isOn: isColoured) }
}

/// The colours of text (ECMA-48 SGR), or none if `isOn` is false.
package struct Palette: Sendable {
    package let isOn: Bool

    package enum Style: String, Sendable {
        case good = "1;32"
        case bad = "1;31"
        case unsure = "1;33"
        case heading = "1"
        case faint = "2"

        /// The sign for good or bad news; nil if the style is neither.
        package var sign: String? {
            switch self {
            case .good: "✓"
            case .bad: "✗"
            case .unsure: "?"
            case .heading, .faint: nil
            }
        }
    }

    package func callAsFunction(_ style: Style, _ text: String) -> String {
        isOn ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }
}
