import Credentials
import HTTPSFetch

/// The end of a command that cannot do what it was asked to do. `Main` prints the lines, and nothing else does.
struct CommandFailure: Error {
    let reason: RunReason
    /// Lines for standard error.
    let lines: [String]

    /// - Parameters:
    ///   - reason: what gives the exit code.
    ///   - message: what the program says.
    ///   - source: what it speaks of: itself, or an input.
    init(_ reason: RunReason, _ message: String, of source: String = "shcverify") {
        self.init(reason, lines: ["\(source): \(message)"])
    }

    init(_ reason: RunReason, lines: [String]) {
        self.reason = reason
        self.lines = lines
    }

    init(_ fault: InstallationFault) { self.init(.internalError, fault.message) }
}

/// The reasons of commands. Others come from verdicts.
extension RunReason {
    static let malformed = RunReason.given(.malformedInput)
    static let signatureInvalid = RunReason.given(.signatureInvalid)
    static let noKey = RunReason.given(.keyNotFound)
    static let notListed = RunReason.given(.issuerNotTrusted)
    static let unavailable = RunReason.given(.keysUnavailable)
    static let listUnavailable = RunReason.given(.revocationUnavailable)
    static let unreadable = RunReason.given(.unreadableInput)
}

extension RunOutcome {
    /// Notes a reason, and says so on standard error.
    ///
    /// - Parameter isShown: whether the report says it too. On a terminal that shows both, once is enough.
    mutating func warn(_ source: String, _ reason: ReasonCode, _ message: String, isShown: Bool = false) {
        if !isShown || !StandardStreams.isSeenWithErrors {
            StandardStreams.warn("\(source): \(reason.rawValue): \(message)")
        }
        add(reason)
    }

    mutating func warn(_ source: String, _ failure: VerificationFailure, isShown: Bool = false) {
        warn(source, failure.code, failure.message, isShown: isShown)
    }
}
