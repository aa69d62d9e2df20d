import Conformance
import CredentialReports
import Encodings

/// The rules of `lint` as one JSON document.
struct RuleListJSON: Report {
    private var writer: JSONWriter

    init(to destination: Destination) {
        writer = JSONWriter(layout: .indented, escapesUnprintable: destination.isTerminal)
    }

    mutating func begin(to sink: ReportSink) throws {
        writer.begin(.object)
        writer.member("schemaVersion", 1)
        writer.name("rules")
        writer.begin(.array)
    }

    mutating func add(_ rule: Rule, to sink: ReportSink) throws {
        writer.object { writer in
            writer.member("rule", rule.id)
            writer.member("code", rule.code)
            writer.member("severity", rule.severity.rawValue)
            writer.member("citation", rule.citation.number)
            writer.member("spec", rule.citation.url)
            writer.member("subject", rule.subject)
            writer.member("requirement", rule.requirement)
            writer.member("remedy", rule.remedy)
        }
        if writer.bytes.count >= ReportPart.size { try sink(writer.take()) }
    }

    mutating func finish(to sink: ReportSink) throws {
        writer.end(.array)
        writer.end(.object)
        try sink(writer.take() + [UInt8(ascii: "\n")])
    }
}
