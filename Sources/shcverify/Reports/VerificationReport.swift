import SMARTHealthCards

/// Writes what a run has to say, card by card, so that no more than one card is held at a time.
protocol VerificationReport {
    /// Takes the next card's verdict.
    ///
    /// - Returns: what can be written by now.
    mutating func add(_ verdict: Verdict) -> [UInt8]

    /// Ends the report, after the last card.
    ///
    /// - Returns: the rest.
    mutating func finish() -> [UInt8]
}

extension VerificationFailure {
    /// The message, with the option that helps where something was not known only because nobody was asked for it.
    ///
    /// - Parameter isImpersonal: whether it is to have nothing of a person, a record or a date.
    func words(isImpersonal: Bool = false) -> String {
        let message = isImpersonal ? impersonalMessage : message
        return switch code {
        case .keysUnavailable where isUnasked: message + "; give them with --jwks"
        case .revocationUnavailable where isUnasked: message + "; give it with --crl"
        default: message
        }
    }
}
