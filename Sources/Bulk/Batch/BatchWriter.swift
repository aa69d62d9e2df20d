import CredentialReports
import Credentials
import StrictJSON

/// Writes the verdicts of a batch, a line for each.
struct BatchWriter {
    private let form: BatchForm
    private var writer: JSONWriter
    private let prepared: PreparedVerdicts

    init(_ form: BatchForm) {
        self.form = form
        writer = JSONWriter(escapesUnprintable: form.escapesUnprintable)
        prepared = PreparedVerdicts(escapesUnprintable: form.escapesUnprintable)
    }

    /// Writes a verdict: the object of the card, with the number of the line as its first member.
    ///
    /// - Parameters:
    ///   - id: the sender's ID of the line.
    ///   - time: the time for which the card was verified.
    mutating func write(
        _ verdict: Verdict, number: Int, id: LineID?, at time: VerificationTime, to output: inout [UInt8]
    ) {
        let form = form
        form.observer?.note(verdict)
        guard !form.isQuiet else { return }
        writer.clear()
        form.cards.write(verdict, to: &writer, at: time, prepared: prepared) { writer in
            let members = form.cards.members
            if members.contains(.line) { writer.member("line", number) }
            if let id, members.contains(.id) {
                writer.name("id")
                id.write(to: &writer)
            }
            guard members.contains(.source) else { return }
            writer.name("source")
            switch form.names {
            // Lines are numbered from 1, and the cards of an input from 0.
            case .byLine: writer.value(form.source, number: number - 1)
            case .byCard: writer.value(verdict.examined.presented.source)
            }
        }
        output += writer.bytes
        output.append(UInt8(ascii: "\n"))
    }
}
