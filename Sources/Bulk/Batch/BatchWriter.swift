import CredentialReports
import Credentials

/// Writes the verdicts of a batch, a line for each.
struct BatchWriter {
    private let form: BatchForm
    private var lines: CardLineJSON

    init(_ form: BatchForm) {
        self.form = form
        lines = CardLineJSON(form.cards, escapesUnprintable: form.escapesUnprintable)
    }

    /// Writes a verdict: the object of the card, with the number of the line as its first member.
    ///
    /// - Parameters:
    ///   - id: the sender's ID of the line.
    ///   - time: the time for which the card was verified.
    mutating func write(
        _ verdict: Verdict, number: Int, id: LineID?, at time: VerificationTime, to output: inout [UInt8]
    ) {
        form.observer?(verdict)
        guard !form.isQuiet else { return }
        let input = form.hasNamedCards ? nil : form.source
        lines.write(verdict, number: number, id: id, of: input, at: time, to: &output)
    }
}
