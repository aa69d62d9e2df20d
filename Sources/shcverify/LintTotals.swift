import Conformance
import CredentialReports
import Synchronization

/// The findings of a run over many lines: how often each rule was departed from and where first, and the first findings.
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
        /// The numbers of errors, warnings and unchecked rules.
        fileprivate(set) var numbers = (errors: 0, warnings: 0, unchecked: 0)
        /// The number of findings that an earlier run had.
        var known = 0
        /// The findings of the first lines.
        fileprivate var findings: [(line: Int, finding: Finding)] = []
        /// The number of findings to keep.
        fileprivate let kept: Int

        init(keeping kept: Int) {
            self.kept = kept
        }

        mutating func add(_ finding: Finding, line: Int) {
            add(Count(severity: finding.severity, count: 1, lines: [line]), for: finding.rule.id)
            switch finding.severity {
            case .error: numbers.errors += 1
            case .warning: numbers.warnings += 1
            case .unchecked: numbers.unchecked += 1
            }
            if findings.count < kept { findings.append((line, finding)) }
        }

        fileprivate mutating func add(_ count: Count, for rule: String) {
            var known = rules[rule] ?? Count(severity: count.severity)
            known.severity = max(known.severity, count.severity)
            known.count += count.count
            for line in count.lines where !known.lines.contains(line) { known.lines.append(line) }
            known.lines = Array(known.lines.sorted().prefix(LintTotals.firstPlaces))
            rules[rule] = known
        }

        fileprivate mutating func add(_ more: Counts) {
            for (rule, count) in more.rules { add(count, for: rule) }
            numbers.errors += more.numbers.errors
            numbers.warnings += more.numbers.warnings
            numbers.unchecked += more.numbers.unchecked
            known += more.known
            findings += more.findings
            // Threads finish their lines in any order, and the findings of the first lines are to be kept in every run.
            if findings.count > 2 * kept { keepFirst() }
        }

        fileprivate mutating func keepFirst() {
            findings = Array(
                findings.enumerated().sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }
                    .prefix(kept).map(\.element))
        }
    }

    fileprivate static let firstPlaces = 3

    private let counts: Mutex<Counts>
    private let kept: Int

    /// - Parameter kept: the number of findings to keep.
    init(keeping kept: Int) {
        self.kept = kept
        counts = Mutex(Counts(keeping: kept))
    }

    /// Empty counts, for some lines.
    var none: Counts { Counts(keeping: kept) }

    func add(_ more: Counts) { counts.withLock { $0.add(more) } }

    /// The numbers of errors, warnings and unchecked rules.
    var numbers: (errors: Int, warnings: Int, unchecked: Int) { counts.withLock { $0.numbers } }

    /// The number of findings that an earlier run had.
    var known: Int { counts.withLock { $0.known } }

    /// The findings of the first lines, each with the number of its line.
    var findings: [Finding] {
        counts.withLock { counts in
            counts.keepFirst()
            return counts.findings.map { $0.finding.inLine($0.line) }
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
