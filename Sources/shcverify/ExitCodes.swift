import Credentials
import Glibc

/// The exit codes of the program, for its help and `explain`. Those of a credential are in the rows of `ReasonCode`.
enum ExitCodes {
    /// An exit code that does not come from a credential.
    struct Other: Sendable {
        /// nil if the run ended well.
        let reason: RunReason?
        var code: Int32 { RunOutcome(reason).exitCode }
        /// The code in the list of the help; nil if that leaves it out, because a signal says enough.
        let words: String?
        let meaning: String
    }

    static let others = [
        Other(
            reason: nil, words: "verified",
            meaning: "Every card verified and met the requirements, or the command did what it was asked to do."),
        Other(
            reason: .internalError, words: "internal error or faulty installation",
            meaning:
                "Something went wrong that has nothing to do with a card: the installation is incomplete, the clock is wrong, the output could "
                + "not be written, or a limit of this machine is too low. The line on standard error says which. Fix it and try again."
        ),
        Other(
            reason: .usage, words: "usage",
            meaning:
                "The command line is wrong, or the content of a file that an option names. The line on standard error says what. No "
                + "card was verified."),
        Other(reason: .signal(SIGINT), words: nil, meaning: "SIGINT (Control-C) ended the run."),
        Other(reason: .signal(SIGTERM), words: nil, meaning: "SIGTERM ended the run."),
    ]

    /// All exit codes with their words, as in `0 verified, 1 internal error or faulty installation`.
    ///
    /// The manual page has the words from here.
    static var list: String {
        let own = others.compactMap { other in other.words.map { (other.code, $0) } }
        let reasons = ReasonCode.exitCodes.map { ($0, ReasonCode.words(forExitCode: $0) ?? "") }
        return (own + reasons).sorted { $0.0 < $1.0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }

    /// What an exit code means that does not come from a credential; nil for other texts.
    static func meaning(of code: String) -> String? { others.first { "\($0.code)" == code }?.meaning }
}
