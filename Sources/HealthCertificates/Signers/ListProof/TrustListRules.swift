import Credentials
package import Cryptography
package import Encodings

/// The rules by which a list of signers is taken: by which keys it has to be signed, and whether it may be one of WHO's test networks.
public struct TrustListRules: Sendable {
    /// The keys of which one must have signed each list; nil if lists are accepted from anybody.
    public var keys: ListKeys?
    /// Whether lists of WHO's test networks (UAT, DEV) may be used. Nobody vouches for who gets a key there.
    public var allowsTestLists: Bool

    /// The keys whose private half is published in something that was given, such as `CardPolicy.compromisedKeys`. With one of them,
    /// anybody could sign a list. Those in the list itself count too.
    package var compromisedKeys = CompromisedKeys()

    /// Creates rules.
    public init(keys: ListKeys? = nil, allowsTestLists: Bool = false) {
        self.keys = keys
        self.allowsTestLists = allowsTestLists
    }

    /// Takes a list of trusted signers.
    ///
    /// If its proof was verified, the list is as old as the proof says.
    ///
    /// - Throws: `TrustListRefusal` if the rules do not permit it.
    package func admit(_ list: SignerList) throws(TrustListRefusal) -> AdmittedList {
        guard list.environments.count <= 1 else { throw TrustListRefusal(.contradiction, Self.words(of: list)) }
        if let environment = list.environment, environment.isForTests, !allowsTestLists {
            throw TrustListRefusal(
                .testList,
                "it is a list of WHO's test network \(environment.rawValue), whose signers are for tests only")
        }
        guard let keys else { return AdmittedList(list, list.proof?.outcome(by: nil)) }
        var compromised = compromisedKeys
        compromised.formUnion(list.compromised.provenAlone)
        guard let keys = keys.refusing(compromised) else {
            throw TrustListRefusal(.proof, ListKeys.allCompromised)
        }
        let outcome = list.proof?.outcome(by: keys)
        guard case .verified(let verified)? = outcome else {
            throw TrustListRefusal(
                .proof,
                outcome?.words
                    ?? "it is \(list.form.words), which has no proof of who made it, so no key can have signed it")
        }
        var list = list
        list.retrieved = verified.statement.created ?? list.retrieved
        return AdmittedList(list, outcome)
    }

    private static func words(of list: SignerList) -> String {
        let names = TrustEnvironment.allCases.filter(list.environments.contains).map(\.rawValue)
        return "it contradicts itself: it says that it is a list of \(names.joined(separator: " and of "))"
    }
}

/// A list of signers that was taken by `TrustListRules`, or whose keys the user has named as such. Only these are ever trusted.
package struct AdmittedList: Sendable {
    package let list: SignerList
    /// What is known of the list's proof; nil for a form that has none.
    package let proof: ListProof.Outcome?

    fileprivate init(_ list: SignerList, _ proof: ListProof.Outcome?) {
        self.list = list
        self.proof = proof
    }

    /// A key set or certificates of `--jwks`: keys that the user trusts, and no list of somebody else's.
    ///
    /// - Returns: nil for a list of another form.
    package init?(keys list: SignerList) {
        guard list.form == .jwks || list.form == .certificates else { return nil }
        self.init(list, nil)
    }
}

extension ListProof.Outcome {
    /// What is known of the proof, in words which call the list "it".
    package var words: String {
        switch self {
        case .verified(let list): "its proof\(list.statement.words) verifies by the key \(list.thumbprint)"
        case .unchecked(let statement): "its proof\(statement.words) was not checked, since no key was given"
        case .uncheckable(let problem, _): "its proof cannot be checked: \(problem.description)"
        case .absent: "it has no proof of who made it"
        case .noKey(let statement):
            "its proof\(statement.words) is by none of the given keys: they are those of somebody else"
        case .invalid(let statement):
            "its proof\(statement.words) does not verify: the list was changed, or somebody else signed it"
        }
    }

    /// Who has signed and when, according to the proof.
    package var statement: ListStatement? {
        switch self {
        case .verified(let list): list.statement
        case .unchecked(let statement), .uncheckable(_, let statement), .noKey(let statement), .invalid(let statement):
            statement
        case .absent: nil
        }
    }
}

extension ListStatement {
    /// Who has signed and when, for the middle of a sentence; empty if neither is known.
    package var words: String { signerWords + (created.map { ", made at \($0.toTheSecond)," } ?? "") }

    /// Who has signed, for the middle of a sentence; empty if that is not known.
    package var signerWords: String { signer.map { " of \($0.quoted(upTo: 300))" } ?? "" }
}

/// Why a list is not taken, in plain words which call it "it".
package typealias TrustListRefusal = Rejected<TrustListRule>

/// The reasons of `TrustListRefusal`.
package enum TrustListRule: Sendable {
    /// It names two environments.
    case contradiction
    /// It is one of a test network.
    case testList
    /// None of the keys has certainly signed it.
    case proof
}
