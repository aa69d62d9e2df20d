/// How grave a finding is.
public enum Severity: String, Sendable, CaseIterable, Comparable {
    /// A departure from what the specification says SHALL be.
    case error
    /// A departure from a SHOULD, what depends on the day, and what costs only a few bytes.
    case warning
    /// No departure: what could not be checked, since it was not to be asked for.
    case unchecked

    /// Whether the first is less grave.
    public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .unchecked: 0
        case .warning: 1
        case .error: 2
        }
    }
}
