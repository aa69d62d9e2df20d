import ArgumentParser
import Conformance

/// `shcverify lint INPUT…`: every departure from the specification, with a code.
struct LintCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Report every departure from the specification, for issuers.",
        discussion: """
            Takes cards in any of their forms, and what they are made of: a FHIR Bundle, a payload (JSON), a key set, a \
            revocation list, a directory. Files that are given with --jwks, --crl and --directory are linted too. With \
            --issuer it asks a live issuer for what it publishes.

            Exit codes: 0 no errors, 10 errors (with --fail-on warning: or warnings; with --fail-on unchecked: or \
            warnings, or anything that could not be checked), else 66 if an input could not be read; the other inputs are linted all the same. \
            "shcverify explain CODE" says what a code means.
            """)

    @OptionGroup(title: "Input") var inputs: InputOptions
    @OptionGroup var options: LintOptions
    @OptionGroup(title: "Output") var output: LintOutputOptions

    func validate() throws {
        guard options.signature == nil || inputs.input.count == 1 && inputs.qr.isEmpty else {
            throw ValidationError("--signature wants one input, which it is of.")
        }
        let isEmpty = inputs.isEmpty && options.issuer.isEmpty
        guard output.list else { return isEmpty ? try inputs.requireInput() : () }
        guard isEmpty else { throw ValidationError("--list lints nothing; leave the inputs out.") }
    }

    @MainActor
    func run() async throws {
        if output.list { return try list() }
        ProcessSetup.makeSureOfThreads()
        var given: [LintRun.GivenFile] = []
        let policy = try options.policy(given: &given)
        var run = try LintRun(policy: policy, source: options.network.evidenceSource())
        run.read(inputs, as: options.inputKind)
        run.add(given)
        try await run.ask(options.liveIssuers, by: options.network)
        let outcome = try await run.finish(failingOn: output.failOn)
        for (source, failure) in outcome.unreadable {
            StandardStreams.warn("\(source): unreadable-input: \(failure)")
        }
        if !output.quiet { try StandardStreams.write(output.report.bytes(outcome)) }
        if outcome.exitCode != 0 { throw ExitCode(outcome.exitCode) }
    }

    private func list() throws {
        let list = LintRuleList(rules: options.rules)
        let isTerminal = StandardStreams.isTerminal
        try StandardStreams.write(
            output.format == .json
                ? list.json(escapesUnprintable: isTerminal)
                : list.text(palette: Palette(isOn: output.color.isOn), width: StandardStreams.width))
    }
}
