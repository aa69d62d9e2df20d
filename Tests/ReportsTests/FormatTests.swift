import Conformance
import CredentialReports
import Credentials
import Encodings
import LintReports
import SMARTHealthCards
import TestSupport
import Testing

/// Empty reports are complete, and every format has a description.
@Suite struct FormatTests {
    @Test func everyFormatHasASummary() {
        #expect(VerdictFormat.help.hasPrefix("text: a report for people; json: "))
        #expect(LintFormat.help.hasSuffix("."))
        for name in RecordsFormat.allCases.map(\.rawValue) { #expect(RecordsFormat.help.contains("\(name): ")) }
    }

    @Test(arguments: RecordsFormat.allCases) func reportOnNoRecordsIsComplete(_ format: RecordsFormat) throws {
        let text = String(
            decoding: format.report(
                now: NumericDate(sinceEpoch: .zero), to: Destination(), by: Tool(name: "test", version: "1")
            ).text(of: []), as: UTF8.self)
        switch format {
        case .text, .ndjson: #expect(text.isEmpty)
        case .html: #expect(text.contains("0 records of 0 verified cards") && text.hasSuffix("</html>\n"))
        case .csv: #expect(text.hasPrefix("source,iss,") && text.hasSuffix("\r\n"))
        case .json:
            #expect(text.hasPrefix("{\n  \"schemaVersion\": 1,\n  \"codeLists\": [\n"))
            #expect(text.hasSuffix("\n  ],\n  \"records\": []\n}\n"))
        }
    }

    @Test(arguments: LintFormat.allCases) func reportOnNoFindingsIsComplete(_ format: LintFormat) throws {
        let summary = LintSummary(
            of: [], inputs: [.init(source: "a"), .init(source: "b", failure: "missing")], waived: 0, failsOn: .error,
            duration: .zero)
        #expect(summary.exitCode == 66)
        let report = format.report(
            on: summary, now: NumericDate(sinceEpoch: .zero), to: Destination(), by: Tool(name: "test", version: "1"))
        let text = report.text(of: [])
        #expect(String(decoding: text, as: UTF8.self).contains("b"))
        switch format {
        case .json, .sarif: _ = try JSONDocument.parse(text)
        case .html: #expect(PageMarkup.faults(in: String(decoding: text, as: UTF8.self)).isEmpty)
        case .text, .junit, .github: break
        }
    }

    @Test func errorOfTheSinkEndsTheReport() {
        var report = RecordsFormat.json.report(
            now: NumericDate(sinceEpoch: .zero), to: Destination(), by: Tool(name: "test", version: "1"))
        #expect(throws: CancellationError.self) { try report.write([]) { _ in throw CancellationError() } }
    }
}
