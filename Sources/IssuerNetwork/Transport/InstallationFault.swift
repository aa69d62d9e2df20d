/// Nothing can be fetched from anybody: the program that fetches is missing or cannot start.
///
/// This says nothing about an issuer, so no verdict is made of it. The caller ends the run.
public struct InstallationFault: Error, Sendable, Equatable {
    /// What is wrong, in plain words and with the path of the program.
    public let message: String

    public init(_ message: String) {
        self.message = message
    }

    /// Nil if the failure is of another kind.
    package init?(_ failure: TransportFailure) {
        guard failure.kind == .installation else { return nil }
        message = failure.message
    }
}
