import ArgumentParser

/// The options of commands that ask all issuers of a directory.
struct SweepOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The number of issuers that are asked at the same time.", valueName: "n")) var jobs = 16

    @Option(help: .of("time-limit")) var timeLimit: Double = 1800

    @OptionGroup(title: "Network") var network: SweepNetworkOptions

    func validate() throws {
        guard (1...64).contains(jobs) else { throw ValidationError("--jobs must be a number of issuers from 1 to 64.") }
        guard (0.001...86_400).contains(timeLimit) else {
            throw ValidationError("--time-limit must be a number of seconds from 0.001 to 86400.")
        }
        guard !network.offline else {
            throw ValidationError(
                "With --offline, no issuer can be asked. \"shcverify lint FILE\" checks the file of a directory alone.")
        }
    }
}
