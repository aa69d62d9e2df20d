package import Conformance
package import CredentialReports
import Encodings

/// Findings as one JSON document.
struct LintJSON: Report {
    private let summary: LintSummary
    private var writer: JSONWriter

    init(summary: LintSummary, to destination: Destination) {
        self.summary = summary
        writer = JSONWriter(layout: .indented, escapesUnprintable: destination.isTerminal)
    }

    mutating func begin(to sink: ReportSink) throws {
        writer.begin(.object)
        writer.member("schemaVersion", 1)
        writer.member("exitCode", Int(summary.exitCode))
        writer.member("errors", summary.errors)
        writer.member("warnings", summary.warnings)
        writer.member("unchecked", summary.unchecked)
        writer.member("known", summary.known)
        writer.member("chosenProfiles", summary.chosenProfiles.map(\.rawValue))
        writer.array("unreadable") { writer in
            for (source, failure) in summary.unreadable {
                writer.object { writer in
                    writer.member("source", source)
                    writer.member("message", failure)
                }
            }
        }
        writer.name("findings")
        writer.begin(.array)
    }

    mutating func add(_ finding: Finding, to sink: ReportSink) throws {
        writer.object { finding.write(to: &$0) }
        if writer.bytes.count >= ReportPart.size { try sink(writer.take()) }
    }

    mutating func finish(to sink: ReportSink) throws {
        writer.end(.array)
        writer.end(.object)
        try sink(writer.take() + [UInt8(ascii: "\n")])
    }
}

extension Finding {
    /// Writes the members of the finding.
    ///
    /// - Parameter isOfLine: whether the input is one line of many. Then `line` is the number of that line, which was already written.
    func write(to writer: inout JSONWriter, isOfLine: Bool = false) {
        writer.member("code", code)
        writer.member("rule", rule.id)
        writer.member("severity", severity.rawValue)
        writer.member("message", message)
        writer.member("source", source)
        writer.member("card", card)
        writer.member("layer", layer.rawValue)
        writer.member("path", path)
        // True if offset, line and column refer to the input itself; false if they refer to decoded data.
        writer.member("inInput", isInInput)
        writer.member("offset", offset)
        if !isOfLine { writer.member("line", line) }
        writer.member("column", column)
        writer.member("citation", rule.citation.number)
        writer.member("spec", rule.citation.url)
        writer.member("requirement", rule.requirement)
        writer.member("remedy", remedy)
        writer.member("fingerprint", fingerprint)
        writer.member("actor", actor?.rawValue)
    }
}

/// Findings as NDJSON: for each finding a JSON object on a line, with the number of the line of the input.
package struct LintLineJSON {
    private var writer: JSONWriter

    package init(escapesUnprintable: Bool) {
        writer = JSONWriter(escapesUnprintable: escapesUnprintable)
    }

    /// Writes a finding.
    ///
    /// - Parameters:
    ///   - finding: the finding.
    ///   - line: the number of the line, from 1; nil for a file that an option named.
    ///   - id: the ID that the sender gave the line.
    ///   - output: gets the object and a line feed.
    package mutating func write(_ finding: Finding, line: Int?, id: LineID? = nil, to output: inout [UInt8]) {
        writer.clear()
        writer.object { writer in
            writer.member("line", line)
            id?.writeMember(to: &writer)
            finding.write(to: &writer, isOfLine: true)
            writer.member("schemaVersion", 1)
        }
        output += writer.bytes
        output.append(UInt8(ascii: "\n"))
    }
}

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
