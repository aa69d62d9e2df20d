import ArgumentParser

/// `shcverify directory`: the directory of trusted issuers that VCI publishes.
struct DirectoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "directory", abstract: "Install, show and check the directory of trusted issuers.",
        subcommands: [DirectoryUpdateCommand.self, DirectoryShowCommand.self, DirectoryVerifyCommand.self])

    func run() throws {
        throw ValidationError("\"shcverify directory\" needs a command: update, show or verify.")
    }
}
