import Credentials
import Cryptography
import HealthCertificates
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

    /// The values of `--directory` that do not say how old they are.
    private(set) var undated: [String] = []
    /// The keys that are given with `--jwks`, and the first file of them that has keys of cards and does not say whose.
    let keys: GivenKeys
    let ownerlessKeys: String?
    /// The keys that sign lists; nil if none were given.
    let listKeys: ListKeys?

    /// Reads all given lists and keys. What speaks against the key of a list may stand in any of them, so all are read before a list of
    /// signers is taken.
    ///
    /// - Parameter observer: is told each value.
    init(_ options: any TrustLists, _ keys: KeyOptions, observedBy observer: ValueObserver = .nobody) throws {
        for url in options.trust.all {
            issuers.allow(Issuer(unchecked: url))
            observer("--trust", Array(url.utf8))
        }
        if options.allowTestLists { observer("--allow-test-lists", []) }
        var listKeys = try GivenListKeys(options.listKey.all, observedBy: observer)
        var lists: [(name: String, list: OptionFile.ReadSigners)] = []
        for name in options.directory.all {
            switch try OptionFile.directory(name, hasListKeys: listKeys.areGiven, observedBy: observer) {
            case .issuers(let source):
                issuers.add(source)
                if source.snapshot == nil { undated.append(name) }
            case .signers(let list): lists.append((name, list))
            }
        }
        issuers.anchors = try OptionFile.anchors(options.anchor.all, compromised: &compromised, observedBy: observer)
        let given = try OptionFile.keys(keys.jwks.all, observedBy: observer)
        (self.keys, ownerlessKeys) = (given.keys, given.ownerless)
        for keys in lists.map(\.list.compromised) + given.signers.map(\.list.compromised.provenAlone)
            + [compromised, issuers.compromised, given.keys.compromised]
        {
            listKeys.compromised.formUnion(keys)
        }
        self.listKeys = try listKeys.usable()
        let rules = listKeys.rules(self.listKeys, allowsTestLists: options.allowTestLists)
        for (name, list) in lists {
            let admitted = try list.admitted(rules)
            signers.add(admitted)
            if let proof = admitted.proof { proofs.append((name, proof)) }
            if admitted.list.retrieved == nil { undated.append(name) }
            // Giving any trust list also means that no other issuer of cards is trusted.
            issuers.refusesUnlisted = true
        }
        for list in given.signers { signers.add(list) }
    }
}

/// The keys of `--list-key`, and what speaks against keys in everything else that was given.
struct GivenListKeys {
    private let files: [(path: String, keys: ListKeys)]
    /// The keys whose private half is published in something that was given.
    var compromised = CompromisedKeys()

    /// Reads the files of `--list-key`.
    ///
    /// - Parameters:
    ///   - paths: the values of the option.
    ///   - observer: is told each file.
    init(_ paths: [String], observedBy observer: ValueObserver = .nobody) throws {
        files = try paths.map { ($0, try OptionFile.listKeys($0, observedBy: observer)) }
    }

    /// Whether the option is given.
    var areGiven: Bool { !files.isEmpty }

    /// The keys whose private half is not published; nil if none were given. Files of which none is left are named on standard error.
    ///
    /// - Throws: the end of the command if no key is left at all.
    func usable() throws -> ListKeys? {
        let usable = files.compactMap { $0.keys.refusing(compromised) }
        for (path, keys) in files where keys.refusing(compromised) == nil {
            let problem =
                "the private half of its key is published in a given file, so anybody could sign a list with it"
            guard !usable.isEmpty else { throw OptionFile.unusable(path, option: "--list-key", problem) }
            StandardStreams.warn("shcverify: --list-key \(path): left out: \(problem)")
        }
        return ListKeys(merging: usable)
    }

    /// The rules for lists.
    ///
    /// - Parameter keys: what `usable` has returned.
    func rules(_ keys: ListKeys?, allowsTestLists: Bool) -> TrustListRules {
        var rules = TrustListRules(keys: keys, allowsTestLists: allowsTestLists)
        rules.compromisedKeys = compromised
        return rules
    }
}
