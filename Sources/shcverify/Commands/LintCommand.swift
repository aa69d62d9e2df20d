import ArgumentParser
import Conformance
import Reports

/// `shcverify lint INPUT…`: reports every departure from the specification, with a code.
struct LintCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Report every departure from the specification, for issuers.",
        discussion: """
            Takes cards in any of their forms, and also a FHIR Bundle, a payload (JSON), a key set, a revocation list or \
            a directory. Files that are given with --jwks, --crl and --directory are linted too. --issuer checks \
            everything that a live issuer publishes.

            Exit codes: 0 no errors; 10 errors (with --fail-on warning, errors or warnings; with --fail-on unchecked, any \
            finding); otherwise 66 if an input could not be read. The other inputs are linted even then. \
            "shcverify explain CODE" says what a code means.
            """)

    @OptionGroup(title: "Input") var inputs: InputOptions
    @OptionGroup var options: LintOptions
    @OptionGroup(title: "Output") var output: LintOutputOptions

    func validate() throws {
        guard options.signature == nil || inputs.input.count == 1 && inputs.qr.isEmpty else {
            throw ValidationError("--signature needs exactly one input: the snapshot that was signed.")
        }
        let isEmpty = inputs.isEmpty && options.issuer.isEmpty
        guard output.list else { return isEmpty ? try inputs.requireInput() : () }
        guard isEmpty else { throw ValidationError("--list lints nothing, so it takes no inputs.") }
    }

    @MainActor
    func run() async throws {
        if output.list {
            var list = output.ruleList
            try list?.write(options.rules, to: StandardStreams.write)
            return
        }
        ProcessSetup.requireThreads()
        var given: [LintRun.GivenFile] = []
        let policy = try options.policy(given: &given)
        var run = try LintRun(policy: policy, source: options.network.evidenceSource())
        await run.read(inputs, as: options.inputKind)
        run.add(given)
        try await run.ask(options.liveIssuers, by: options.network)
        let (findings, summary) = try await run.finish(failingOn: output.failOn)
        for (source, failure) in summary.unreadable {
            StandardStreams.warn("\(source): unreadable-input: \(failure)")
        }
        if !output.quiet {
            var report = output.report(on: summary)
            try report.write(findings, to: StandardStreams.write)
        }
        if summary.exitCode != 0 { throw ExitCode(summary.exitCode) }
    }
}
