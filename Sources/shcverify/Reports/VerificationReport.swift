import SMARTHealthCards

/// What a run has to say: the verdicts on all cards, in input order.
struct VerificationReport {
    let verdicts: [Verdict]
    /// The moment for which the cards were verified.
    let now: NumericDate

    /// That of the first card that did not verify; 0 where every card did.
    var exitCode: Int32 {
        verdicts.lazy.compactMap(\.reason).first?.code.exitCode ?? 0
    }

    /// The verdict on all of them: that of the first card that did not verify.
    var verdictName: String {
        verdicts.first { $0.reason != nil }?.name ?? "pass"
    }

    /// The report as it goes to standard output.
    func rendered(as options: OutputOptions) -> [UInt8] {
        switch options.format {
        case .text: TextReport(palette: Palette(isOn: options.color.isOn)).render(verdicts)
        case .json: JSONReport(escapesUnprintable: StandardStreams.isTerminal).render(self)
        case .fhir: FHIRReport(escapesUnprintable: StandardStreams.isTerminal).render(verdicts)
        }
    }
}
