package import Conformance
package import Credentials
package import Evidence
package import LintReports
package import SMARTHealthCards

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
