/// Why a card did not verify.
public struct VerificationFailure: Error, Sendable, Equatable {
    /// The stable code.
    public let code: ReasonCode
    /// What was expected, what was found and what to do about it, in plain words, on one line.
    ///
    /// Text that comes from the card is quoted as JSON, so nothing in it can steer a terminal.
    public let message: String

    public init(_ code: ReasonCode, _ message: String) {
        self.code = code
        self.message = message
    }
}
