import ArgumentParser
import CredentialReports

/// `shcverify`: reads SMART Health Cards in any of their forms and says whether they are genuine.
///
/// `InputReader` reads the bytes, `CredentialReader` finds the cards in them, `CardVerifier` judges each card, `IssuerClient`
/// fetches what the verifier lacks, and a report prints the verdicts.
///
/// There is one file for each command in `Commands`. The options that several commands share are in `Options`.
struct ShcverifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration.of(
        "shcverify", usage: "shcverify usage",
        more: "\n\nExit codes: \(ExitCodes.list). \"shcverify explain CODE\" says what a reason means. "
            + "\"shcverify lint\" has exit codes of its own.",
        // Only the first line. Main prints the others, which need the installed lists, if somebody asks for the version.
        version: Tool.shcverify.version, subcommands: commands, default: VerifyCommand.self)

    /// The commands. `configuration` has them too, but its texts are only made if somebody wants to read them.
    static let commands: [any ParsableCommand.Type] = [
        VerifyCommand.self, BatchCommand.self, LintCommand.self, InspectCommand.self, RecordsCommand.self,
        FetchCardsCommand.self, DirectoryCommand.self, CodesCommand.self,
        StatusCommand.self, ExplainCommand.self, SchemaCommand.self,
    ]
}
