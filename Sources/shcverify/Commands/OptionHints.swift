import CredentialReports
import Credentials
import HTTPSFetch

extension Tool {
    /// This program, and the names of its options and commands for reports.
    static let shcverify: Tool = {
        var tool = Tool(name: "shcverify", version: UserAgent.version)
        tool.keysRemedy = "give them with --jwks"
        tool.revocationRemedy = "give it with --crl"
        tool.codesRemedy = "update the lists with \"shcverify codes update\""
        tool.ownCodesRemedy =
            "give a list of that code system with --codes, or install it with \"shcverify codes update --from FILE\""
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

extension Explanation {
    /// The options and commands of this program that help. The library's texts name none, because other programs use
    /// them.
    var hint: String? {
        switch ReasonCode(rawValue: code) {
        case .qrChunkMissing: return "Use one --qr for each part, or give one part on each line."
        case .malformedPayload: return "\"shcverify inspect\" prints the payload."
        case .certificateInvalid: return "--anchor names the certificates to trust."
        case .issuerNotTrusted:
            return
                "--trust names an issuer to trust. \"shcverify directory show NAME\" looks for an issuer in the directory."
        case .recordsNotMatching:
            return
                "With --quiet, and in batch without --records, the message does not name the records, since it may be logged."
        case .keysUnavailable:
            return
                "Give the keys with --jwks, or the signers of EU certificates with --directory. With --offline nothing is fetched. "
                + "--allow-private-network allows private addresses."
        case .keyNotFound:
            return
                "\"shcverify directory show --directory FILE\" lists the signers of a trust list. An entry signs only the content of its domain."
        case .receiverRequired: return "\"shcverify inspect\" prints the members of the link, without its key."
        case .codesUnknown:
            return
                "\"shcverify codes update\" gets CDC's newest lists, \"shcverify codes update --from FILE\" installs a list of any code "
                + "system, --codes FILE adds one for a single run, and \"shcverify codes show CODE\" looks for a code."
        case .revocationUnavailable:
            return
                "Give the list with --crl. With --offline nothing is fetched. With --require-revocation, a card also ends here that was "
                + "looked up in no list, such as an EU certificate without --crl."
        case .expired:
            return
                "\"EXPIRED (the signature is valid)\" means that nothing else that is known here speaks against it. \"--at issued\" "
                + "says whether the card was valid when it was issued."
        case .revoked:
            return "\"REVOKED (the signature is valid)\" means that nothing else that is known here speaks against it."
        case .unreadableInput: return "Give the text of a QR code with --qr, and any other text on standard input."
        default: break
        }
        switch CredentialWarning.Code(rawValue: code) {
        case .keyLabel, .issuerMismatch, .outlivesCertificate, .issuedBeforeCertificate:
            return "\"shcverify directory show --directory FILE\" lists the signers of a trust list."
        case .envelopeForm, .envelopeAlgorithm, .envelopeSignature, .envelopeDigest, .envelopeValidity, .rowMissing,
            .rowTwice, .rowCode, .rowUnknown:
            return "--strict-envelope refuses such a check-in."
        case .testList: return "--allow-test-lists permits such lists; leave it out."
        case .issuerNotOnList: return "Use --directory FOLDER, or --directory vci."
        case .staleKeys: return "--max-stale limits how old cached keys may be."
        case .staleRevocationList:
            return "Give a newer list with --crl. --max-stale limits how old a cached list may be."
        default: return nil
        }
    }
}
