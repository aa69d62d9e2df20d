/// Why a card did not verify.
public struct VerificationFailure: Error, Sendable, Equatable {
    /// The stable code.
    public let code: ReasonCode
    /// What was expected, what was found and what to do about it, in plain words, on one line.
    ///
    /// Text that comes from the card is quoted as JSON, so nothing in it can steer a terminal.
    public let message: String
    /// The message without what the card says of a person, a record or a date: for the logs of a gate.
    public let impersonalMessage: String
    /// Whether something is not known only because nobody was asked for it: it was not wanted, or too many had been asked.
    public let isUnasked: Bool

    /// - Parameters:
    ///   - code: the stable code.
    ///   - message: the message.
    ///   - impersonalMessage: the message for logs, if the other has anything of a person, a record or a date in it.
    ///   - isUnasked: whether something is not known only because nobody was asked for it.
    public init(
        _ code: ReasonCode, _ message: String, impersonalMessage: String? = nil, isUnasked: Bool = false
    ) {
        self.code = code
        self.message = message
        self.impersonalMessage = impersonalMessage ?? message
        self.isUnasked = isUnasked
    }
}
