import ArgumentParser
import SMARTHealthCards

/// `shcverify INPUT…`: verifies cards and prints what they record.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Verify cards and print what they record (the default command).")

    @OptionGroup(title: "Input") var inputs: InputOptions
    @OptionGroup var verification: VerificationOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        try inputs.requireInput()
    }

    func run() async throws {
        let policy = try verification.policy()
        var report = output.report(now: policy.now, names: policy.codeNames)
        let exitCode = try await verification.verify(inputs, policy: policy) { verdict in
            if let bytes = report?.add(verdict) { try StandardStreams.write(bytes) }
        }
        if let bytes = report?.finish() { try StandardStreams.write(bytes) }
        if exitCode != 0 { throw ExitCode(exitCode) }
    }
}
