import ArgumentParser
import Conformance
import CredentialReports
import Credentials
import LintReports
import Verification

/// `shcverify lint INPUT…`: reports every violation of the specification, with a code.
struct LintCommand: WaitingCommand {
    static let configuration = CommandConfiguration.of("lint")

    @OptionGroup(title: "Input") var inputs: InputOptions
    @OptionGroup var rules: LintRuleOptions
    @OptionGroup(title: "Keys") var keys: KeyOptions
    @OptionGroup(title: "Trust") var trust: TrustListOptions
    @OptionGroup(title: "Links") var links: SharedLinkOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup(title: "Output") var output: LintOutputOptions

    func validate() throws {
        guard rules.signature == nil || inputs.input.all.count == 1 && inputs.qr.isEmpty else {
            throw ValidationError("--signature needs exactly one input: the snapshot that was signed.")
        }
        let isEmpty = inputs.isEmpty && rules.issuer.isEmpty && rules.cardURL.isEmpty
        if rules.lines != nil {
            guard isEmpty, rules.signature == nil, !output.list else {
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

    nonisolated(nonsending) func perform() async throws -> RunOutcome {
        if output.list {
            try rules.exclusions.validate()
            var list = output.ruleList
            try list?.write(rules.exclusions.rules, to: StandardStreams.write)
            return RunOutcome()
        }
        try CommandSandbox(network, inputs).enter()
        ProcessSetup.requireThreads()
        var given: [LintRun.GivenFile] = []
        let policy = try LintPolicy(self, given: &given)
        let baseline = try output.baselineFile.map { try BaselineFile.read($0) } ?? LintBaseline()
        if let path = rules.lines {
            let lines = LintLines(command: self, policy: policy, given: given, baseline: baseline)
            return try await lines.run(path)
        }
        var run = try LintRun(
            policy: policy, store: Requests(network).evidence(.init(for: policy.trustedIssuers, listing: policy.apps)))
        try await run.read(inputs, as: rules.inputKind)
        let follower = try LinkFollower(
            links, network: network, now: policy.now, mayAsk: !inputs.readsStandardInput)
        try await run.followLinks(by: follower)
        try await run.download(rules.cardURL.all, by: network)
        run.add(given)
        try await run.ask(rules.liveIssuers, by: network)
        let (findings, summary) = try await run.finish(failingOn: output.failOn, without: baseline)
        for (source, failure) in summary.unreadable { StandardStreams.warn("\(source): unreadable-input: \(failure)") }
        if !output.quiet {
            var report = output.report(on: summary)
            try report.write(findings, to: StandardStreams.write)
        }
        return summary.outcome
    }
}
