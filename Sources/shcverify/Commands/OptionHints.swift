import CredentialReports
import HTTPSFetch

extension Tool {
    /// This program, and the names of its options and commands for reports.
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
