/// How grave a departure is.
public enum Severity: String, Sendable, CaseIterable {
    /// A departure from what the specification says SHALL be.
    case error
    /// A departure from a SHOULD, what depends on the day, and what costs only a few bytes.
    case warning
}
