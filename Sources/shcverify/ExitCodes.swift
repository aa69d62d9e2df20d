import Credentials

/// The exit codes of the program, for its help. Those of a credential are in `Credentials`.
enum ExitCodes {
    /// Those that do not come from a credential. Those of signals are left out, because they say enough.
    private static let own: [(Int32, String)] = [
        (RunOutcome().exitCode, "verified"),
        (RunReason.internalError.exitCode, "internal error or faulty installation"),
        (RunReason.usage.exitCode, "usage"),
    ]

    /// All exit codes with their words, as in `0 verified, 1 internal error or faulty installation`.
    ///
    /// The manual page has the words from here.
    static var list: String {
        let reasons = ReasonCode.exitCodes.map { ($0, ReasonCode.words(forExitCode: $0) ?? "") }
        return (own + reasons).sorted { $0.0 < $1.0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }
}
