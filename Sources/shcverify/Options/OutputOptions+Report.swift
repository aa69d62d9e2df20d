import FHIR
import SMARTHealthCards

extension OutputOptions {
    /// The report that was asked for; nil if nothing is to be printed.
    ///
    /// - Parameters:
    ///   - now: the moment for which the cards are verified.
    ///   - names: names for codes.
    func report(now: NumericDate, names: CodeNames) -> (any VerificationReport)? {
        if quiet { return nil }
        return switch format {
        case .text:
            TextReport(
                palette: Palette(isOn: color.isOn), names: names, width: StandardStreams.width,
                repeatsReasons: !StandardStreams.isSeenWithErrors)
        case .json: JSONReport(now: now, names: names, escapesUnprintable: StandardStreams.isTerminal)
        case .fhir: FHIRReport(escapesUnprintable: StandardStreams.isTerminal)
        }
    }
}
