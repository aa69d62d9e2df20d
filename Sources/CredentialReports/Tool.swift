public import Credentials
import FHIR

/// The program that prints a report, and the names of its options and commands. Reports take those names only from here.
public struct Tool: Sendable {
    /// The name of the program.
    public let name: String
    /// The version of the program.
    public let version: String

    /// Advice if an issuer's keys are missing only because nobody wanted to ask the issuer, as in "give them with --keys".
    public var keysRemedy: String?
    /// Advice if a revocation list is missing only because nobody wanted to fetch it.
    public var revocationRemedy: String?
    /// Advice if no list has the codes of a record, as in "update the lists with \"program codes update\"".
    public var codesRemedy: String?
    /// Advice if a code is of a code system that is not in the newest lists.
    public var ownCodesRemedy: String?
    /// Advice if it is not known whether the issuer is trusted.
    public var trustRemedy: String?
    /// Why an issuer on the list of allowed issuers is trusted. It follows "trusted:".
    public var allowList = "named as trusted"
    /// Why an issuer whose keys were given is trusted. It follows "trusted:".
    public var givenKeys = "its keys were given"
    /// The command that explains a reason code. The code follows it.
    public var explainCommand: String?
    /// What a word of a report means, what to do about it, and what the holder of the card can do. Pages print it, because their readers
    /// may not have the program.
    public var topics: (@Sendable (_ word: String) -> (meaning: String, remedy: String?, holder: String?)?)?

    /// - Parameters:
    ///   - name: the name of the program.
    ///   - version: the version of the program.
    public init(name: String, version: String) {
        self.name = name
        self.version = version
    }

    /// The same program without the names of its options and commands, for somebody at a desk.
    var withoutOptions: Tool {
        var tool = Tool(name: name, version: version)
        tool.topics = topics
        return tool
    }

    /// Why a card did not verify. If something is missing only because it was not asked for, advice follows.
    ///
    /// - Parameter isImpersonal: whether to leave out persons, records and dates (`VerificationFailure.impersonalMessage`).
    public func message(of failure: VerificationFailure, isImpersonal: Bool = false) -> String {
        let message = isImpersonal ? failure.impersonalMessage : failure.message
        let remedy: String? =
            switch failure.code {
            case .keysUnavailable where failure.isUnasked: keysRemedy
            case .revocationUnavailable where failure.isUnasked: revocationRemedy
            case .codesUnknown:
                switch failure.codesHelp {
                case .newerLists?, nil: codesRemedy
                case .ownList?: ownCodesRemedy
                case UnknownRecordType.Help.none?: nil
                }
            default: nil
            }
        return remedy.map { "\(message); \($0)" } ?? message
    }

    /// Where to read more about a reason, or about a word of a report; nil if the program has no command for that.
    func explanation(of word: String) -> String? { explainCommand.map { "\"\($0) \(word)\" says more" } }

    /// Why the issuer of a verified card is trusted, or that the issuer is not trusted.
    func words(for trust: IssuerTrust) -> String {
        switch trust {
        case .directory: "trusted: listed in a directory"
        case .allowList: "trusted: \(allowList)"
        case .certificate: "trusted: vouched for by a certificate"
        case .jwks: "trusted: \(givenKeys)"
        case .unchecked: trustRemedy.map { "not checked: \($0)" } ?? "not checked"
        case .untrusted: "NOT TRUSTED"
        }
    }
}
