import ArgumentParser
import Credentials

/// Which verdicts of a batch set its exit code. What goes wrong with the run itself always does.
enum BatchFailure: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// No verdict does.
    case none
    /// Only the verdict that a line cannot be read as a card.
    case malformed
    /// Every verdict but a pass.
    case any

    /// The exit code for the verdicts of a run; 0 if none of them counts.
    func exitCode(of tally: BatchTally) -> Int32 {
        switch self {
        case .none: 0
        case .malformed:
            tally.reasons.keys.contains { $0.exitCode == Self.malformedCode } ? Self.malformedCode : 0
        case .any: tally.exitCode
        }
    }

    private static let malformedCode = ReasonCode.malformedInput.exitCode
}
