import ArgumentParser

/// The exit statuses that are not a card's.
enum CommandExit {
    static let internalError = ExitCode(1)
    static let malformed = ExitCode(10)
    static let signatureInvalid = ExitCode(11)
    static let notListed = ExitCode(13)
    static let unavailable = ExitCode(20)
    static let usage = ExitCode(64)
    static let unreadable = ExitCode(66)
}
