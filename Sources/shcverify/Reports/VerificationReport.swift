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
