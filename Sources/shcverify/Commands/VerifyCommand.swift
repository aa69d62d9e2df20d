import ArgumentParser
import SMARTHealthCards

/// `shcverify INPUT…`: verifies cards and prints what they record.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        // Says that this is never the root whose completion scripts are asked for. ArgumentParser would else parse the
        // arguments twice more to see whether they are; the root still does.
        commandName: "verify", _superCommandName: "shcverify",
        abstract: "Verify cards and print what they record (the default command).")

    @OptionGroup(title: "Input") var inputs: InputOptions
    @OptionGroup var verification: VerificationOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        try inputs.requireInput()
    }

    // On the main thread: a card whose keys are known wants no other, and starting some takes longer than verifying it.
    @MainActor
    func run() async throws {
        let policy = try verification.policy()
        var report = output.report(now: policy.now, names: policy.codeNames)
        let exitCode = try await verification.verify(inputs, policy: policy, isQuiet: output.quiet) { verdict in
            if let bytes = report?.add(verdict) { try StandardStreams.write(bytes) }
        }
        if let bytes = report?.finish() { try StandardStreams.write(bytes) }
        if exitCode != 0 { throw ExitCode(exitCode) }
    }
}
