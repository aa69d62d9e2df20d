import ArgumentParser
import Containers
import CredentialReports
import Credentials
import Verification

/// `shcverify INPUT…`: verifies cards and prints what they record.
struct VerifyCommand: WaitingCommand, VerifyingCommand {
    // With a super command's name, ArgumentParser knows that this is not the root command. Otherwise it would parse
    // the arguments twice more, to look for a request for a completion script. Nothing public says the same.
    static let configuration = CommandConfiguration.of("verify", in: "shcverify")

    @OptionGroup(title: "Input") var inputs: InputOptions
    @OptionGroup(title: "Keys") var keys: KeyOptions
    @OptionGroup(title: "Trust") var trust: TrustOptions
    @OptionGroup(title: "Records") var records: RecordOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @Option(help: .of("at.moment"), completion: .list(["issued"]), transform: VerificationTime.Moment.ofOption)
    var at: VerificationTime.Moment?
    @OptionGroup(title: "Links") var links: SharedLinkOptions
    @OptionGroup(title: "Check-in") var checkIn: CheckInOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        try inputs.requireInput()
        try validateTrust()
    }

    nonisolated(nonsending) func perform() async throws -> RunOutcome {
        // Opened first: what has a name already needs no right to be written.
        let file = try output.handoverFile()
        try CommandSandbox(network, inputs, writing: file?.newPath).enter()
        let policy = try VerificationPolicy(self, apps: links.apps)
        var printer = VerdictPrinter(
            output, policy: policy, trusting: trust.directory.all, handover: file)
        try printer.begin()
        let run = VerifyRun(
            network: network, policy: policy, isQuiet: output.quiet, showsReasons: output.isForPeople)
        let cards = try await run.read(
            inputs, links, CheckInSession(checkIn), keepsUnsigned: output.includeUnsigned)
        let outcome = try await run.verify(cards) { try printer.add($0) }
        try printer.finish()
        return outcome
    }
}
