import Credentials
import Encodings

/// The FHIR Bundles of the verified cards, one per line, and nothing else.
struct VerdictFHIR: Report {
    private var writer: JSONWriter

    init(to destination: Destination) { writer = JSONWriter(escapesUnprintable: destination.isTerminal) }

    mutating func add(_ verdict: Verdict, to sink: ReportSink) throws {
        guard let bundle = verdict.verified?.claims.fhirBundle else { return }
        writer.clear()
        writer.value(bundle)
        try sink(writer.bytes + [UInt8(ascii: "\n")])
    }

    func finish(to sink: ReportSink) throws {}
}
