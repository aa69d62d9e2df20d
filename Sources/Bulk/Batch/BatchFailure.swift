import Credentials

/// Which verdicts of a batch set its exit code. What goes wrong with the run itself always does.
package enum BatchFailure: String, CaseIterable, Sendable {
    /// No verdict does.
    case none
    /// Only the verdict that a line cannot be read as a card.
    case malformed
    /// Every verdict but a pass.
    case any

    /// The exit code for the verdicts of a run; 0 if none of them counts.
    package func exitCode(of tally: BatchTally) -> Int32 {
        switch self {
        case .none: 0
        case .malformed: Self.unreadCodes.first { code in tally.reasons.keys.contains { $0.exitCode == code } } ?? 0
        case .any: tally.exitCode
        }
    }

    /// The exit codes of a line that is something else than a card, of one in which nothing could be read, and of the path of a file
    /// that could not be read.
    private static let unreadCodes = [
        ReasonCode.malformedInput.exitCode, ReasonCode.emptyInput.exitCode, ReasonCode.unreadableInput.exitCode,
    ]
}
