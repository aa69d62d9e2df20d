/// One rule of the specification, with what looks for departures from it.
///
/// A rule is a value: each stands in a file of its own below `Rules`, and in `Rule.all`.
public struct Rule: Sendable {
    /// The code of its findings, which several rules may share, such as `schema-error`.
    public let code: String
    /// What tells it from the others, such as `nbf`.
    public let name: String
    /// How grave a departure is, where a finding does not say otherwise.
    public let severity: Severity
    /// What it is a rule of.
    public let citation: Citation
    /// What it asks, in one sentence.
    public let requirement: String
    /// What to do about a departure.
    public let remedy: String
    let check: Check

    /// Code and name: `schema-error/nbf`.
    public var id: String { "\(code)/\(name)" }

    /// What it looks at, in words.
    public var subject: String { check.subject }

    init(
        _ code: String, _ name: String, _ citation: Citation, severity: Severity = .error, requirement: String,
        remedy: String, check: Check
    ) {
        self.code = code
        self.name = name
        self.severity = severity
        self.citation = citation
        self.requirement = requirement
        self.remedy = remedy
        self.check = check
    }
}
