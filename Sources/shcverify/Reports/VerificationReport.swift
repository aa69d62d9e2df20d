import FHIR
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

extension OutputOptions {
    /// The report that was asked for; nil where nothing is to be printed.
    ///
    /// - Parameters:
    ///   - now: the moment for which the cards are verified.
    ///   - names: names for codes.
    func report(now: NumericDate, names: CodeNames) -> (any VerificationReport)? {
        if quiet { return nil }
        return switch format {
        case .text: TextReport(palette: Palette(isOn: color.isOn), names: names, width: StandardStreams.width)
        case .json: JSONReport(now: now, names: names, escapesUnprintable: StandardStreams.isTerminal)
        case .fhir: FHIRReport(escapesUnprintable: StandardStreams.isTerminal)
        }
    }
}
