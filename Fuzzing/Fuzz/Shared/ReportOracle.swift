import Encodings

/// Rules that every report follows, for any card.
enum ReportOracle {
    /// Requires that nothing in a report can control a terminal, and that no line is a command to a build server.
    ///
    /// - Parameter hasCommands: whether the report consists of such commands.
    static func isInert(_ report: [UInt8], hasCommands: Bool = false) {
        let text = String(validating: report, as: UTF8.self)
        require(text != nil, "a report is UTF-8")
        let isInert = text?.unicodeScalars.contains { $0.isUnprintable && $0 != "\n" } == false
        require(isInert, "a report has no control characters")
        require(text?.contains("##[") == false, "a report contains no command")
        let begins = text?.unicodeScalars.split(separator: "\n").contains { line in
            line.drop { $0.properties.isWhitespace }.starts(with: "::".unicodeScalars)
        }
        require(begins == false || hasCommands, "no line of a report is a command")
    }

    /// Requires that a report is JSON. In a report, a Bundle is a few levels deeper than in a card, so more levels are allowed.
    static func json(_ report: [UInt8]) -> JSONValue? {
        let value = try? JSONDocument.parse(report, maximumDepth: 160)
        require(value != nil, "a JSON report is JSON")
        return value
    }
}
