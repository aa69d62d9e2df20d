import ArgumentParser
import Conformance
import CredentialReports
import Credentials
import Verification

/// `shcverify lint INPUT…`: reports every departure from the specification, with a code.
struct LintCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Report every violation of the specification, for issuers.",
        discussion: """
            Takes cards in any of their forms, and also a FHIR Bundle, a payload (JSON), a key set, a revocation list or \
            a directory, and EU Digital COVID Certificates. Files that are given with --jwks, --crl and --directory are \
            linted too, unless they are about such certificates. --issuer checks everything that a live issuer publishes.

            Exit codes: 0 no errors; 10 errors (with --fail-on warning, errors or warnings; with --fail-on unchecked, any \
            finding); otherwise 66 if an input could not be read. The other inputs are linted even then. \
            "shcverify explain CODE" says what a code means.
            """)

    @OptionGroup(title: "Input") var inputs: InputOptions
    @OptionGroup var many: LintLineOptions
    @OptionGroup var options: LintOptions
    @OptionGroup(title: "Output") var output: LintOutputOptions

    func validate() throws {
        guard options.signature == nil || inputs.input.all.count == 1 && inputs.qr.isEmpty else {
            throw ValidationError("--signature needs exactly one input: the snapshot that was signed.")
        }
        let isEmpty = inputs.isEmpty && options.issuer.isEmpty && options.cardURL.isEmpty
        if many.lines != nil {
            guard isEmpty, options.signature == nil, !output.list else {
                throw ValidationError(
                    "--lines takes no other inputs: neither INPUT nor --qr, --issuer, --card-url, --signature or --list."
                )
            }
            guard [.text, .json, .sarif, .junit].contains(output.format) else {
                throw ValidationError("--lines prints JSON lines, SARIF or JUnit.")
            }
            return
        }
        guard output.list else { return isEmpty ? try inputs.requireInput() : () }
        guard isEmpty else { throw ValidationError("--list lints nothing, so it takes no inputs.") }
    }

    @MainActor
    func run() async throws {
        if output.list {
            var list = output.ruleList
            try list?.write(options.exclusions.rules, to: StandardStreams.write)
            return
        }
        ProcessSetup.requireThreads()
        var given: [LintRun.GivenFile] = []
        let policy = try options.policy(given: &given)
        let baseline = try output.baseline()
        if let lines = many.lines { return try await lint(lines: lines, policy, given: given, baseline: baseline) }
        var run = try LintRun(policy: policy, source: options.network.evidenceSource())
        try await run.read(inputs, as: options.inputKind)
        let follower = try LinkFollower(
            options.links, network: options.network, now: policy.now, mayAsk: !inputs.readsStandardInput)
        try await run.followLinks(by: follower)
        try await run.download(options.cardURL.all, by: options.network)
        run.add(given)
        try await run.ask(options.liveIssuers, by: options.network)
        let (findings, summary) = try await run.finish(failingOn: output.failOn, without: baseline)
        for (source, failure) in summary.unreadable {
            StandardStreams.warn("\(source): unreadable-input: \(failure)")
        }
        if !output.quiet {
            var report = output.report(on: summary)
            try report.write(findings, to: StandardStreams.write)
        }
        if summary.exitCode != 0 { throw ExitCode(summary.exitCode) }
    }

    /// The most findings in a report on many lines, if it is written at the end.
    private static let keptFindings = 10_000

    /// Lints each line of a file.
    @MainActor
    private func lint(
        lines path: String, _ policy: LintPolicy, given: [LintRun.GivenFile], baseline: LintBaseline
    ) async throws {
        let start = ContinuousClock.now
        let source = try options.network.evidenceSource()
        let input = try BatchInput(path)
        let isTerminal = StandardStreams.isTerminal
        let isJSON = [.text, .json].contains(output.format)
        let totals = LintTotals(keeping: isJSON || output.quiet ? 0 : Self.keptFindings)
        let form = LineLinter.Form(
            source: input.source, kind: options.inputKind, failsOn: output.failOn, prints: isJSON && !output.quiet,
            escapesUnprintable: isTerminal, baseline: baseline, totals: totals)
        let linter = { @Sendable () -> Linter? in
            guard var linter = try? Linter(policy: policy) else { return nil }
            for file in given {
                linter.add(given: file.bytes, json: file.json, source: file.source, as: file.kind, of: file.issuer)
            }
            return linter
        }
        // The findings in files of options come first. They are of no line.
        var ofFiles: [Finding] = []
        var report = LintLineJSON(escapesUnprintable: isTerminal)
        var bytes: [UInt8] = []
        for finding in linter()?.findings ?? [] {
            guard finding.standsForOthers || !baseline.contains(finding.fingerprint) else { continue }
            ofFiles.append(finding)
            report.write(finding, line: nil, to: &bytes) { _ in }
        }
        if form.prints { try StandardStreams.write(bytes) }
        let jobs = BatchJobs.count(asked: many.jobs)
        let run = BatchRun(
            scheduler: BatchScheduler(
                source: source, bound: RequestLimiter(for: policy.trustedIssuers), jobs: jobs),
            input: input, worker: { linter().map { LineLinter($0, form: form) } }, jobs: jobs,
            summarize: { tally, summary in
                summary.finish(
                    tally, words: { "\($0) without findings that fail, \($1) with such findings" },
                    details: totals.lines
                        + (totals.known > 0 ? ["\(totals.known) known findings left out (--baseline)"] : []))
            },
            statePath: nil)
        var state = BatchState(input: input.source, terms: BatchTerms())
        let reader = try input.reader(continuing: &state, keepsSum: false)
        var exitCode = try await run.run(reader, from: 1, state: state)
        if exitCode == 0, ofFiles.contains(where: { $0.severity >= output.failOn }) {
            exitCode = ReasonCode.malformedInput.exitCode
        }
        if !isJSON, !output.quiet {
            try write(ofFiles, totals, of: input.source, hasFailed: exitCode != 0, duration: start.duration(to: .now))
        }
        if exitCode != 0 { throw ExitCode(exitCode) }
    }

    /// Writes the report on many lines that comes at the end: the findings of the first lines, and how many are left out.
    private func write(
        _ ofFiles: [Finding], _ totals: LintTotals, of source: String, hasFailed: Bool, duration: Duration
    ) throws {
        let kept = totals.findings
        let numbers = totals.numbers
        let count = { (severity: Severity) in kept.count { $0.severity == severity } }
        let leftOut = (
            errors: numbers.errors - count(.error), warnings: numbers.warnings - count(.warning),
            unchecked: numbers.unchecked - count(.unchecked)
        )
        let rest = leftOut.errors + leftOut.warnings + leftOut.unchecked
        if rest > 0 {
            StandardStreams.warn(
                "shcverify: the report has \(kept.count) findings, and leaves out \(rest) of later lines")
        }
        let summary = LintSummary(
            of: ofFiles + kept, inputs: [LintSummary.Input(source: source)],
            waived: options.exclusions.waivedRules.count, failsOn: output.failOn, duration: duration, leftOut: leftOut,
            known: totals.known, hasFailed: hasFailed)
        var report = output.report(on: summary)
        try report.write(ofFiles + kept, to: StandardStreams.write)
    }
}
