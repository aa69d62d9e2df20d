import ArgumentParser

/// `shcverify codes`: the lists of codes that give records their names and groups.
struct CodesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration.of(
        "codes", subcommands: [CodesUpdateCommand.self, CodesShowCommand.self])

    func run() async throws { throw ValidationError("\"shcverify codes\" needs a command: update or show.") }
}
