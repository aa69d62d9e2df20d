package import Conformance
import CredentialReports
package import Credentials
import Cryptography
import Encodings
package import Evidence
package import LintReports
package import SMARTHealthCards

/// Lints the lines of one block after the other, on one thread: each line as `lint` lints an input of its own.
final class LineLinter: LineWorker {
    /// A line whose issuer must be asked is begun again with the answer, so none is kept.
    typealias Pending = Never
    typealias Tally = LineLintTally

    /// One for each line of a group. The signatures of a group are verified together.
    private var linters: [Linter]
    private let confirmer: (any SignatureConfirmer)?
    private let form: LineLintForm
    private var report: LintLineJSON

    /// What the lines of a group have together, but for the last one: bytes with their payloads, and findings that need no issuer.
    private static let groupSize = (bytes: 1 << 20, findings: 1_000)
    /// The number of lines of the next group. The lines after one that waits are read again, so fewer are read after a wait.
    private var nextCount: Int

    /// - Parameters:
    ///   - linter: a linter that has read the files of options. Their findings are not repeated.
    ///   - precomputation: what confirms signatures faster than OpenSSL's usual verification; nil for that alone.
    init(_ linter: Linter, precomputation: Precomputation?, form: LineLintForm) {
        confirmer = precomputation?.confirmer()
        linters = Array(repeating: linter, count: confirmer?.bestCount ?? 1)
        nextCount = linters.count
        self.form = form
        report = LintLineJSON(escapesUnprintable: form.escapesUnprintable)
    }

    func advance(_ work: inout BlockWork<LineLinter>, with known: EvidenceAnswers) -> [EvidenceRequest] {
        var evidence = known
        evidence.formUnion(work.refusals, replacing: true)
        evidence.formUnion(work.answers, replacing: false)
        while work.hasRoom {
            let group = readGroup(of: work.block, from: work.taken)
            let claims = claims(of: group.count, with: evidence)
            for (place, line) in group.enumerated() where work.hasRoom {
                let requests = linters[place].judge(with: evidence, claim: claims[place])
                guard requests.isEmpty else {
                    nextCount = 1
                    return requests
                }
                finish(line, linters[place].takeFindings(), in: &work)
            }
            nextCount = min(2 * nextCount, linters.count)
        }
        return []
    }

    /// Reads the next lines: as many as are best verified together. Those that come after one that waits, or after one with which the
    /// output is full, are read again.
    ///
    /// - Returns: the lines; nil for one that is too long.
    private func readGroup(of block: LineBlock, from first: Int) -> [Line?] {
        var group: [Line?] = []
        var (size, findings) = (0, 0)
        while group.count < nextCount, first + group.count < block.lines.count, size < Self.groupSize.bytes,
            findings < Self.groupSize.findings
        {
            let content = block.content(ofLine: first + group.count)
            let line = content.map { Line($0) }
            read(line, with: &linters[group.count])
            let kept = linters[group.count].kept()
            findings += kept.findings
            size += (content?.count ?? 0) + kept.bytes
            group.append(line)
        }
        return group
    }

    /// The claims about the signatures of a group, with the answers that were found.
    private func claims(of count: Int, with evidence: EvidenceAnswers) -> [SignatureClaim?] {
        guard let confirmer else { return Array(repeating: nil, count: count) }
        var claims: [SignatureClaim?] = []
        for place in 0..<count { claims.append(linters[place].claim(with: evidence)) }
        confirmer.answer(&claims)
        return claims
    }

    /// Begins a line.
    ///
    /// - Parameter line: the line; nil if it is too long.
    private func read(_ line: Line?, with linter: inout Linter) {
        linter.beginAgain()
        linter.subject = line?.subject ?? .text([])
        guard let line else { return linter.add(tooLong: LineReader.maximumLine, source: form.source) }
        for content in line.contents { linter.add(content, source: form.source, as: form.kind) }
        linter.finishReading()
        linter.addUnopenedLinks(because: "lint --lines opens no links")
    }

    /// Counts and writes what was found in the next line.
    private func finish(_ line: Line?, _ found: [Finding], in work: inout BlockWork<LineLinter>) {
        let number = work.block.firstLine + work.taken
        // Nobody knows what is in a line that is too long.
        let new = found.filter { line == nil || $0.standsForOthers || !form.baseline.contains($0.fingerprint) }
        for finding in new where form.prints { report.write(finding, line: number, id: line?.id, to: &work.output) }
        work.tally.add(
            new, known: found.count - new.count, inLine: number, isOwnText: line?.isOwnText != false,
            hasFailed: new.contains { $0.severity >= form.failsOn }, keeps: form.keeps)
        work.taken += 1
    }

    /// A line that is not too long.
    private struct Line {
        let id: LineID?
        /// The inputs in the line: the text of `card`, if the line is a JSON object with one, as in `batch`; else the line itself,
        /// without the carriage return of its line break. A line that is something else too, which `batch` refuses, is checked as both.
        let contents: [[UInt8]]
        /// Whether the only input is the line itself.
        let isOwnText: Bool

        init(_ line: ArraySlice<UInt8>) {
            let bytes = Array(line.last == 0x0D ? line.dropLast() : line)
            guard bytes.first == UInt8(ascii: "{"), bytes.count <= Bounds.inputSize,
                let object = try? LineObject(bytes), let card = object.card?.stringBytes
            else {
                (id, contents, isOwnText) = (nil, [bytes], true)
                return
            }
            (id, isOwnText) = (object.id, false)
            contents = object.otherContent != nil ? [bytes, card] : [card]
        }

        /// What identifies the input, whichever line it is in: its ID, or if it has none, its text.
        var subject: FindingSubject {
            guard let id else { return .text(contents[0]) }
            return .id(String(decoding: id.text, as: UTF8.self))
        }
    }
}

/// What counts as a finding of a run over lines, and what becomes of it.
package struct LineLintForm: Sendable {
    /// The name of the input.
    let source: String
    /// The form of the lines; nil to recognise it.
    let kind: InputForm?
    let failsOn: Severity
    /// The findings of an earlier run, which do not count.
    let baseline: LintBaseline
    /// Whether each finding is printed when it is found.
    let prints: Bool
    /// Whether the first findings are kept for a report at the end.
    let keeps: Bool
    /// Whether the output goes to a terminal.
    let escapesUnprintable: Bool

    package init(
        source: String, kind: InputForm?, failsOn: Severity, baseline: LintBaseline, prints: Bool, keeps: Bool,
        escapesUnprintable: Bool
    ) {
        self.source = source
        self.kind = kind
        self.failsOn = failsOn
        self.baseline = baseline
        self.prints = prints
        self.keeps = keeps
        self.escapesUnprintable = escapesUnprintable
    }
}

/// Lints each line of one input as an input of its own.
package struct LineLintRun: Sendable {
    private let lines: LineRun<LineLinter>

    /// - Parameters:
    ///   - linter: makes a linter that has read the files of options; nil if there is not enough memory.
    ///   - store: what issuers publish.
    ///   - form: what counts, and what becomes of it.
    ///   - jobs: the number of threads that lint.
    ///   - precomputation: what confirms signatures faster than OpenSSL's usual verification; nil for that alone.
    ///   - progress: is told of the counts so far, each time that lines were finished.
    package init(
        linter: @escaping @Sendable () -> Linter?, store: EvidenceStore,
        form: LineLintForm, jobs: Int, precomputation: Precomputation?,
        progress: @escaping @Sendable (LineLintTally) -> Void
    ) {
        lines = LineRun(store: store, jobs: jobs, progress: progress) {
            linter().map { LineLinter($0, precomputation: precomputation, form: form) }
        }
    }

    /// Stops the start of further lines.
    package func interrupt() { lines.interrupt() }

    /// Lints the lines of the input.
    package func run(_ reader: LineReader) async -> LineResult<LineLintTally> { await lines.run(reader) }
}

/// The counts of linted lines: how often each rule was violated and where first, and the first findings.
package struct LineLintTally: LineTally {
    /// The count of one rule.
    private struct Count: Sendable {
        var severity: Severity
        var count: Int
        /// The first lines, in order.
        var lines: [Int]

        mutating func add(_ next: Count) {
            severity = max(severity, next.severity)
            count += next.count
            for line in next.lines where lines.count < Self.firstPlaces && line != lines.last { lines.append(line) }
        }

        private static let firstPlaces = 3
    }

    /// What a finding takes with its texts.
    private static let findingSize = 1 << 10
    /// The most findings that are kept.
    private static let maximumFindings = 10_000

    package private(set) var lines = 0
    /// The number of lines with findings that make the run fail.
    package private(set) var failed = 0
    private var rules: [String: Count] = [:]
    /// The numbers of errors, warnings and unchecked rules.
    package private(set) var numbers = (errors: 0, warnings: 0, unchecked: 0)
    /// The number of findings that an earlier run had.
    package private(set) var known = 0
    /// The findings of the first lines, if they are kept, each with the number of its line.
    package private(set) var findings: [Finding] = []

    package init() {}

    package var weight: Int { findings.count * Self.findingSize }

    /// Counts the next line.
    ///
    /// - Parameters:
    ///   - findings: the findings in the line.
    ///   - known: the number of its findings that an earlier run had.
    ///   - number: the number of the line.
    ///   - isOwnText: whether what was linted is the text of the line.
    ///   - hasFailed: whether these findings make the run fail.
    ///   - keeps: whether the findings are kept for a report at the end.
    mutating func add(
        _ findings: [Finding], known: Int, inLine number: Int, isOwnText: Bool, hasFailed: Bool, keeps: Bool
    ) {
        lines += 1
        if hasFailed { failed += 1 }
        self.known += known
        for finding in findings {
            add(Count(severity: finding.severity, count: 1, lines: [number]), for: finding.rule.id)
            switch finding.severity {
            case .error: numbers.errors += 1
            case .warning: numbers.warnings += 1
            case .unchecked: numbers.unchecked += 1
            }
        }
        if keeps { keep(findings.map { $0.inLine(number, isOwnText: isOwnText) }) }
    }

    package mutating func add(_ next: LineLintTally) {
        lines += next.lines
        failed += next.failed
        known += next.known
        numbers.errors += next.numbers.errors
        numbers.warnings += next.numbers.warnings
        numbers.unchecked += next.numbers.unchecked
        for (rule, count) in next.rules { add(count, for: rule) }
        keep(next.findings)
    }

    private mutating func add(_ count: Count, for rule: String) {
        guard var sum = rules[rule] else {
            rules[rule] = count
            return
        }
        sum.add(count)
        rules[rule] = sum
    }

    private mutating func keep(_ more: [Finding]) {
        findings += more.prefix(max(Self.maximumFindings - findings.count, 0))
    }

    /// One line of text for each rule, the most frequent one first.
    package var ruleCounts: [String] {
        rules.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map { rule, count in
            let places =
                count.lines.map(String.init).joined(separator: ", ") + (count.count > count.lines.count ? ", …" : "")
            return "\(count.count) \(count.severity.rawValue) \(rule) (line \(places))"
        }
    }
}
