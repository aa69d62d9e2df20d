package import Conformance

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
    ///   - hasFailed: whether these findings make the run fail.
    ///   - keeps: whether the findings are kept for a report at the end.
    mutating func add(_ findings: [Finding], known: Int, inLine number: Int, hasFailed: Bool, keeps: Bool) {
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
        if keeps { keep(findings.map { $0.inLine(number) }) }
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
