import Conformance
import Credentials
import Glibc
import JSON
import Reports
import SMARTHealthCards
import Synchronization

/// Lints the lines of one block after the other, on one thread: each line as `lint` lints an input of its own.
final class LineLinter: BlockWorker {
    /// What the threads of a run share.
    struct Form: Sendable {
        /// The name of the input.
        let source: String
        /// The form of the lines; nil to recognise it.
        let kind: InputForm?
        let failsOn: Severity
        let isQuiet: Bool
        let escapesUnprintable: Bool
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
        var counts = LintTotals.Counts()
        defer { form.totals.add(counts) }
        while block.taken < block.lines.count, block.output.count < BatchBlock.maximumOutput {
            let number = block.firstLine + block.taken
            var id: BatchID?
            linter.beginAgain()
            let line = block.lines[block.taken].range.map { Self.content(of: block.bytes[$0], id: &id) }
            linter.add(
                line ?? [UInt8](repeating: 0, count: Bounds.listSize(form.kind) + 1), source: form.source,
                as: form.kind)
            linter.finishReading()
            let requests = linter.judge(with: evidence)
            // The line is begun again with the answers.
            guard requests.isEmpty else { return requests }
            let findings = linter.findings
            for finding in findings {
                counts.add(finding, line: number)
                guard !form.isQuiet else { continue }
                report.write(finding, line: number, to: &block.output) { writer in
                    guard let id else { return }
                    writer.name("id")
                    id.write(to: &writer)
                }
            }
            block.tally.add(findings.contains { $0.severity >= form.failsOn } ? .malformedInput : nil)
            block.taken += 1
        }
        return []
    }

    /// The input in a line: the text of `card`, if the line is a JSON object with one, as in `batch`; else the line itself, without
    /// the carriage return of its line break.
    private static func content(of line: ArraySlice<UInt8>, id: inout BatchID?) -> [UInt8] {
        let line = line.last == 0x0D ? line.dropLast() : line
        let bytes = Array(line)
        guard bytes.first == UInt8(ascii: "{"), bytes.count <= Bounds.inputSize,
            !bytes.holdsMoreJSONValues(than: Bounds.inputValues),
            let object = try? JSONDocument.parse(bytes, maximumDepth: Bounds.nesting),
            let card = object["card"]?.stringBytes
        else { return bytes }
        id = object["id"].map { BatchID($0) }
        return card
    }
}

/// The findings of a run over many lines: how often each rule was departed from, and where first.
final class LintTotals: Sendable {
    /// The count of one rule.
    struct Count: Sendable {
        var severity: Severity
        var count = 0
        /// The first lines, in order.
        var lines: [Int] = []
    }

    /// The counts of some lines.
    struct Counts: Sendable {
        fileprivate var rules: [String: Count] = [:]

        mutating func add(_ finding: Finding, line: Int) {
            add(Count(severity: finding.severity, count: 1, lines: [line]), for: finding.rule.id)
        }

        fileprivate mutating func add(_ count: Count, for rule: String) {
            var known = rules[rule] ?? Count(severity: count.severity)
            known.severity = max(known.severity, count.severity)
            known.count += count.count
            for line in count.lines where !known.lines.contains(line) { known.lines.append(line) }
            known.lines = Array(known.lines.sorted().prefix(LintTotals.firstPlaces))
            rules[rule] = known
        }
    }

    fileprivate static let firstPlaces = 3

    private let counts = Mutex(Counts())

    func add(_ more: Counts) {
        counts.withLock { counts in
            for (rule, count) in more.rules { counts.add(count, for: rule) }
        }
    }

    /// One line for each rule, the most frequent one first.
    var lines: [String] {
        let rules = counts.withLock { $0.rules }
        return rules.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map { rule, count in
            let places =
                count.lines.map(String.init).joined(separator: ", ") + (count.count > count.lines.count ? ", …" : "")
            return "\(count.count) \(count.severity.rawValue) \(rule) (line \(places))"
        }
    }
}
