package import Credentials

/// Which verdicts of a batch set its exit code. What goes wrong with the run itself always does.
package enum BatchFailure: String, CaseIterable, Sendable {
    /// No verdict does.
    case none
    /// Only the verdict that a line cannot be read as a card.
    case malformed
    /// Every verdict but a pass.
    case any

    /// How a run ends by its verdicts.
    package func outcome(of tally: BatchTally) -> RunOutcome {
        switch self {
        case .none: RunOutcome()
        case .malformed:
            // A line that is something else than a card, one in which nothing could be read, and the path of a file that could not be read.
            RunOutcome(
                [ReasonCode.malformedInput, .emptyInput, .unreadableInput].first { unread in
                    tally.reasons.keys.contains { $0.exitCode == unread.exitCode }
                }.map { .given($0) })
        case .any: tally.outcome
        }
    }
}
