import ArgumentParser
import CredentialReports
import Credentials
import Directories
import Evidence
import LintReports

/// `shcverify directory diff OLD NEW`: compares two states of a directory.
struct DirectoryDiffCommand: WaitingCommand {
    static let configuration = CommandConfiguration.of("directory diff")

    /// What sets exit code 10.
    enum Failure: String, ExpressibleByArgument, CaseIterable {
        case none, change
    }

    @Argument(help: .of("old.directorydiff"), completion: .file()) var old: String

    @Argument(help: .of("new.directorydiff"), completion: .file()) var new: String

    @Option(help: ArgumentHelp(ChangeFormat.help)) var format = ChangeFormat.text

    @Option(help: "change: exit with 10 if there are differences.") var failOn = Failure.none

    nonisolated(nonsending) func perform() async throws -> RunOutcome {
        let changes = DirectoryChange.all(
            from: try OptionFile.states(old, option: "directory diff"),
            to: try OptionFile.states(new, option: "directory diff"))
        try StandardStreams.write(
            format.report(
                changes, between: (old, new), at: .now, to: StandardStreams.destination(), by: .shcverify))
        return RunOutcome(failOn == .change && !changes.isEmpty ? .malformed : nil)
    }
}
