import ArgumentParser

/// `shcverify directory`: directories of trusted issuers, such as the one that VCI publishes.
struct DirectoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration.of(
        "directory",
        subcommands: [
            DirectoryUpdateCommand.self, DirectoryShowCommand.self, DirectoryVerifyCommand.self,
            DirectoryRemoveCommand.self, DirectoryAuditCommand.self, DirectoryCollectCommand.self,
            DirectoryDiffCommand.self,
        ])

    func run() throws {
        throw ValidationError(
            "\"shcverify directory\" needs a command: update, show, verify, remove, audit, collect or diff.")
    }
}
