import Bulk
import Conformance
import CredentialReports
import Credentials
import Dispatch
import Evidence
import LintReports
import SMARTHealthCards

/// `lint --lines`: each line of a file is an input of its own.
struct LintLines {
    let command: LintCommand
    let policy: LintPolicy
    /// The files of options, which are linted too.
    let given: [LintRun.GivenFile]
    let baseline: LintBaseline

    private var output: LintOutputOptions { command.output }

    /// Whether each finding is printed when it is found. The other formats are reports, which are written at the end.
    private var isJSON: Bool { [.text, .json].contains(output.format) }

    /// - Parameter path: the path of the file.
    @MainActor
    func run(_ path: String) async throws -> RunOutcome {
        let start = ContinuousClock.now
        let store = try Requests(command.network).evidence(.lines(for: policy.trustedIssuers, listing: policy.apps))
        let lines = try GivenLines(path)
        let name = lines.input.source
        let form = LineLintForm(
            source: name, kind: command.rules.inputKind, failsOn: output.failOn, baseline: baseline,
            prints: isJSON && !output.quiet, keeps: !isJSON && !output.quiet,
            escapesUnprintable: StandardStreams.isTerminal)
        let linter = { @Sendable [policy, given] () -> Linter? in
            guard var linter = try? Linter(policy: policy) else { return nil }
            for file in given {
                linter.add(given: file.bytes, json: file.json, source: file.source, as: file.kind, of: file.issuer)
            }
            return linter
        }
        // The findings in files of options come first. They are of no line.
        let ofFiles = (linter()?.findings ?? []).filter { $0.standsForOthers || !baseline.contains($0.fingerprint) }
        if isJSON, !output.quiet { try print(ofFiles) }
        ProcessSetup.requireThreads(LineThreads.least)
        let progress = LineProgress(unit: "lines")
        let precomputation = InstalledLanes.precomputation(isWanted: !command.rules.noPrecompute, command.network.trace)
        let run = LineLintRun(
            linter: linter, store: store, form: form, jobs: LineThreads.count(asked: command.rules.jobs),
            precomputation: precomputation,
            progress: { progress.show($0) })
        let signals = LineSignals()
        let watched = signals.watch { run.interrupt() }
        defer { for source in watched { source.cancel() } }
        let result = await run.run(lines.input.reader())
        if result.hasSummary { progress.finish(result.tally) } else { progress.end() }
        var outcome = result.outcome(
            of: name, results: RunOutcome(result.tally.failed > 0 ? .malformed : nil), signal: signals.signal)
        // A warning has said so.
        if precomputation?.isInDoubt() == true { outcome = RunOutcome(.internalError) }
        if ofFiles.contains(where: { $0.severity >= output.failOn }) { outcome.add(.malformed) }
        if !isJSON, !output.quiet {
            try write(
                ofFiles, result.tally, of: name, hasFailed: outcome.reason != nil, duration: start.duration(to: .now))
        }
        return outcome
    }

    private func print(_ findings: [Finding]) throws {
        var report = LintLineJSON(escapesUnprintable: StandardStreams.isTerminal)
        var bytes: [UInt8] = []
        for finding in findings { report.write(finding, line: nil, to: &bytes) }
        try StandardStreams.write(bytes)
    }

    /// Writes the report on many lines that comes at the end: the findings of the first lines, and how many are left out.
    private func write(
        _ ofFiles: [Finding], _ tally: LineLintTally, of source: String, hasFailed: Bool, duration: Duration
    ) throws {
        let kept = tally.findings
        let count = { (severity: Severity) in kept.count { $0.severity == severity } }
        let leftOut = (
            errors: tally.numbers.errors - count(.error), warnings: tally.numbers.warnings - count(.warning),
            unchecked: tally.numbers.unchecked - count(.unchecked)
        )
        let rest = leftOut.errors + leftOut.warnings + leftOut.unchecked
        if rest > 0 {
            StandardStreams.warn(
                "shcverify: the report has \(kept.count) findings, and leaves out \(rest) of later lines")
        }
        let summary = LintSummary(
            of: ofFiles + kept, inputs: [LintSummary.Input(source: source)],
            waived: policy.waivedRules.count, failsOn: output.failOn, duration: duration,
            leftOut: leftOut, known: tally.known, hasFailed: hasFailed)
        var report = output.report(on: summary)
        try report.write(ofFiles + kept, to: StandardStreams.write)
    }
}
