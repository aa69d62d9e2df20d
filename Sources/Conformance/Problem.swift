import JSON

/// A departure that a rule found, in the text it looked at.
struct Problem: Sendable {
    /// What was found, in plain words. What is quoted is cut short and safe to print.
    let message: String
    /// The value it is about; nil for the text as a whole.
    let value: JSONValue?
    /// The member of that value it is about, where it is missing.
    let member: String?
    /// Where in the text, in bytes, where no value says it.
    let offset: Int?
    /// How grave this one is, where the rule's own severity does not fit.
    let severity: Severity?

    init(
        _ message: String, at value: JSONValue? = nil, member: String? = nil, offset: Int? = nil,
        severity: Severity? = nil
    ) {
        self.message = message
        self.value = value
        self.member = member
        self.offset = offset
        self.severity = severity
    }
}
