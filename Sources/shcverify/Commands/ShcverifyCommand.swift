import ArgumentParser
import CredentialReports
import HTTPSFetch

/// `shcverify`: reads SMART Health Cards in any of their forms and says whether they are genuine.
///
/// `InputReader` reads the bytes, `CredentialReader` finds the cards in them, `CardVerifier` judges each card, `IssuerClient`
/// fetches what the verifier lacks, and a report prints the verdicts.
///
/// The commands are in `Commands`, each with what only it needs. `Options` has the options that several commands share.
struct ShcverifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration.of(
        "shcverify", usage: "shcverify usage",
        more: "\n\nExit codes: \(ExitCodes.list). \"shcverify explain CODE\" says what a reason means. "
            + "\"shcverify lint\" has exit codes of its own.",
        // Only the first line. Main prints the others when somebody asks for the version, because they need the installed lists.
        version: Tool.shcverify.version, subcommands: commands, default: VerifyCommand.self)

    /// The commands. `configuration` has them too, but its texts are only made when they are needed.
    static let commands: [any ParsableCommand.Type] = [
        VerifyCommand.self, BatchCommand.self, LintCommand.self, InspectCommand.self, RecordsCommand.self,
        FetchCardsCommand.self, DirectoryCommand.self, CodesCommand.self,
        StatusCommand.self, ExplainCommand.self, SchemaCommand.self,
    ]
}

extension Tool {
    /// This program, and how reports call its options and commands.
    static let shcverify: Tool = {
        var tool = Tool(name: "shcverify", version: UserAgent.version)
        tool.keysRemedy = "give them with --jwks"
        tool.revocationRemedy = "give it with --crl"
        tool.codesRemedy = "update the lists with \"shcverify codes update\""
        tool.ownCodesRemedy =
            "give a list of the codes that are about this disease with --codes DISEASE=FILE, or install it with \"shcverify codes update --from DISEASE=FILE\""
        tool.trustRemedy =
            "is this the web address of the organisation that gave you the card? --directory vci looks it up in VCI's list, which \"shcverify directory update\" "
            + "installs"
        tool.allowList = "named with --trust"
        tool.givenKeys = "its keys were given with --jwks"
        tool.explainCommand = "shcverify explain"
        tool.topics = { word in ExplainTopic.of(word).map { ($0.meaning, $0.remedy, $0.holder) } }
        return tool
    }()
}
