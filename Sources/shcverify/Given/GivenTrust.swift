import Credentials
import Cryptography
import HealthCertificates
import JOSE
import SMARTHealthCards

/// Whom the lists of a command line vouch for.
struct GivenTrust {
    /// The issuers of SMART Health Cards.
    private(set) var issuers = TrustedIssuers()
    /// The signers of EU Digital COVID Certificates.
    private(set) var signers = TrustedSigners()
    /// The keys whose private half stands in a file of anchors.
    private(set) var compromised = CompromisedKeys()
    /// What is known of the proofs of lists, with the value of the option that names each.
    private(set) var proofs: [(source: String, proof: ListProof.Outcome)] = []

    /// Reads all given lists.
    ///
    /// - Parameter observer: is told each value.
    init(_ options: TrustListOptions, observedBy observer: ValueObserver = .nobody) throws {
        for url in options.trust.all {
            issuers.allow(Issuer(unchecked: url))
            observer("--trust", Array(url.utf8))
        }
        if options.testLists.allowTestLists { observer("--allow-test-lists", []) }
        let rules = TrustListRules(
            keys: try ListKeys(options.listKeys, observedBy: observer),
            allowsTestLists: options.testLists.allowTestLists)
        for name in options.directory.all {
            switch try OptionFile.directory(name, rules: rules, observedBy: observer) {
            case .issuers(let source): issuers.add(source)
            case .signers(let admitted):
                signers.add(admitted)
                if let proof = admitted.proof { proofs.append((name, proof)) }
                // Giving any trust list also means that no other issuer of cards is trusted.
                issuers.refusesUnlisted = true
            }
        }
        issuers.anchors = try OptionFile.anchors(options.anchor.all, compromised: &compromised, observedBy: observer)
    }

    /// Reads all given lists, and notes what else the options say about trust.
    init(_ options: TrustOptions, observedBy observer: ValueObserver) throws {
        if let days = options.maxDirectoryAge { observer("--max-directory-age", Array("\(days)".utf8)) }
        if options.isTrustRequired { observer("--require-trusted", []) }
        try self.init(options.lists, observedBy: observer)
    }
}

extension ListKeys {
    /// The keys of all files of `--list-key`; nil if none is given.
    ///
    /// - Parameter observer: is told each file.
    init?(_ options: ListKeyOptions, observedBy observer: ValueObserver = .nobody) throws {
        self.init(merging: try options.listKey.all.map { try OptionFile.listKeys($0, observedBy: observer) })
    }
}
