import JSON

/// A departure from the specification: which rule, what, where, and what to do about it.
public struct Finding: Sendable {
    /// The rule that is departed from.
    public let rule: Rule
    /// How grave it is.
    public let severity: Severity
    /// What was found, in plain words. What is quoted from the input is cut short and safe to print.
    public let message: String
    /// The input's name.
    public let source: String
    /// The number of the card in the input; nil if it is not about one card.
    public let card: Int?
    /// What kind of text it was found in.
    public let layer: Document.Layer
    /// Where in the JSON, as a path of member names, such as `vc.credentialSubject.fhirBundle.entry[0]`; nil if it
    /// is not about a JSON value.
    public let path: String?
    /// Where in the text of that layer, in bytes from its start; nil if it is about all of it.
    public let offset: Int?
    /// The line in the text of that layer, from 1.
    public let line: Int?
    /// The column in that line, in characters, from 1.
    public let column: Int?
    /// Whether offset, line and column count in the input itself: the text was not decoded out of it.
    public let isInInput: Bool

    /// The finding's code.
    public var code: String { rule.code }

    /// - Parameter positions: remembers the texts that findings are in.
    init(_ rule: Rule, _ problem: Problem, in document: Document, positions: inout TextPositions) {
        self.rule = rule
        severity = problem.severity ?? rule.severity
        message = problem.message
        source = document.source
        card = document.card
        layer = document.layer
        isInInput = document.inputOffset != nil
        path = Self.path(of: problem, in: document)
        guard let position = problem.offset ?? problem.value?.byteRange.lowerBound else {
            offset = nil
            line = nil
            column = nil
            return
        }
        let absolute = position + (document.inputOffset ?? 0)
        let place = positions.position(ofByte: absolute, in: document)
        offset = absolute
        line = place.line
        column = place.column
    }

    static func path(of problem: Problem, in document: Document) -> String? {
        guard let value = problem.value, let root = document.root else {
            return document.pathPrefix.isEmpty ? nil : document.pathPrefix
        }
        var path = document.pathPrefix + root.path(to: value)
        if let member = problem.member { path += JSONValue.step(UTF8Text(member)) }
        if path.hasPrefix(".") { path.removeFirst() }
        return path.isEmpty ? nil : path
    }
}
