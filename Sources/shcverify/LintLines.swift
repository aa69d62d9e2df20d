import Conformance
import CredentialReports
import Credentials
import SMARTHealthCards
import StrictJSON

/// Lints the lines of one block after the other, on one thread: each line as `lint` lints an input of its own.
final class LineLinter: BlockWorker {
    /// What the threads of a run share.
    struct Form: Sendable {
        /// The name of the input.
        let source: String
        /// The form of the lines; nil to recognise it.
        let kind: InputForm?
        let failsOn: Severity
        /// Whether each finding is printed when it is found.
        let prints: Bool
        let escapesUnprintable: Bool
        /// The findings of an earlier run, which do not count.
        let baseline: LintBaseline
        let totals: LintTotals
    }

    private var linter: Linter
    private let form: Form
    private var report: LintLineJSON

    /// - Parameter linter: a linter that has read the files of options. Their findings are not repeated.
    init(_ linter: Linter, form: Form) {
        self.linter = linter
        self.form = form
        report = LintLineJSON(escapesUnprintable: form.escapesUnprintable)
    }

    func advance(_ block: inout BatchBlock, with known: Evidence) -> [EvidenceRequest] {
        var evidence = known
        evidence.formUnion(block.refusals, replacing: true)
        evidence.formUnion(block.answers, replacing: false)
        var counts = form.totals.none
        defer { form.totals.add(counts) }
        while block.taken < block.lines.count, block.output.count < BatchBlock.maximumOutput {
            let number = block.firstLine + block.taken
            var id: BatchID?
            linter.beginAgain()
            let contents = block.lines[block.taken].range.map { Self.contents(of: block.bytes[$0], id: &id) }
            linter.subject = Self.subject(id, contents?.first ?? [])
            if let contents {
                for content in contents { linter.add(content, source: form.source, as: form.kind) }
                linter.finishReading()
                linter.addUnopenedLinks(because: "lint --lines opens no links")
            } else {
                linter.add(tooLong: BatchReader.maximumLine, source: form.source)
            }
            let requests = linter.judge(with: evidence)
            // The line is begun again with the answers.
            guard requests.isEmpty else { return requests }
            var hasFailed = false
            let findings = linter.findings
            for finding in findings {
                // Nobody knows what is in a line that is too long.
                guard contents == nil || finding.standsForOthers || !form.baseline.contains(finding.fingerprint) else {
                    counts.known += 1
                    continue
                }
                hasFailed = hasFailed || finding.severity >= form.failsOn
                counts.add(finding, line: number)
                guard form.prints else { continue }
                report.write(finding, line: number, to: &block.output) { writer in
                    guard let id else { return }
                    writer.name("id")
                    id.write(to: &writer)
                }
            }
            block.tally.add(hasFailed ? .malformedInput : nil)
            block.taken += 1
        }
        return []
    }

    /// What identifies an input, whichever line it is in: its ID, or if it has none, the digest of its text.
    private static func subject(_ id: BatchID?, _ line: [UInt8]) -> FindingSubject {
        guard let id else { return .text(line) }
        var writer = JSONWriter()
        id.write(to: &writer)
        return .id(String(decoding: writer.bytes, as: UTF8.self))
    }

    /// The inputs in a line: the text of `card`, if the line is a JSON object with one, as in `batch`; else the line itself, without
    /// the carriage return of its line break. A line that is also a file of cards, which `batch` refuses, is checked as both.
    private static func contents(of line: ArraySlice<UInt8>, id: inout BatchID?) -> [[UInt8]] {
        let line = line.last == 0x0D ? line.dropLast() : line
        let bytes = Array(line)
        guard bytes.first == UInt8(ascii: "{"), bytes.count <= Bounds.inputSize,
            !bytes.holdsMoreJSONValues(than: Bounds.inputValues),
            let object = try? JSONDocument.parse(bytes, maximumDepth: Bounds.nesting),
            let card = object["card"]?.stringBytes
        else { return [bytes] }
        id = object["id"].map { BatchID($0) }
        return BatchLine.isAlsoFile(object) ? [bytes, card] : [card]
    }
}
