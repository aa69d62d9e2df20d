import ArgumentParser
import Conformance
import SMARTHealthCards

/// What is linted, and by what.
struct LintOptions: ParsableArguments {
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("What the inputs are, where their content does not say it.", valueName: "kind"))
    var kind: LintKind?

    @Option(
        name: .customLong("iss"),
        help: ArgumentHelp("Whose key set or revocation list the inputs are.", valueName: "url"))
    var publisher: String?

    @Option(
        name: .customLong("issuer"),
        help: ArgumentHelp(
            "Check a live issuer: TLS, CORS, key set, revocation lists. Repeatable; needs no input.", valueName: "url"))
    var issuer: [String] = []

    @Option(name: .customLong("profile"), help: "A profile whose rules are added.")
    var profile: LintPolicy.Profile?

    @Option(
        name: .customLong("exclude"),
        help: ArgumentHelp(
            "Leave out findings of this code, or of this rule (code/name); * and ? are wildcards. Repeatable.",
            valueName: "code"))
    var exclude: [String] = []

    @Option(
        name: .customLong("signature"),
        help: ArgumentHelp(
            "The signature of the one input, a directory's snapshot, in DER; it is checked.", valueName: "file"))
    var signature: String?

    @OptionGroup var signer: SignerOptions
    @OptionGroup var time: TimeOptions
    @OptionGroup(title: "Keys") var keys: KeyOptions
    @OptionGroup(title: "Trust") var trust: TrustListOptions
    @OptionGroup(title: "Network") var network: NetworkOptions

    func validate() throws {
        guard signature != nil || signer.certificate == nil else {
            throw ValidationError("--certificate wants --signature.")
        }
        guard signature == nil || kind == nil || kind == .directory else {
            throw ValidationError("--signature is for a directory's snapshot.")
        }
        // An exclusion that is misspelt would be found out only when what it is for comes up.
        for pattern in patterns where !Rule.all.contains(where: pattern.matches) {
            throw ValidationError(
                "--exclude \(pattern.text): there is no such rule; \"shcverify lint --list\" names them all.")
        }
    }

    /// The live issuers to check.
    var liveIssuers: [Issuer] { issuer.map { Issuer(unchecked: $0) } }

    private var patterns: [RulePattern] { exclude.map { RulePattern(text: $0) } }

    /// What the inputs are taken for. Only snapshots are signed.
    var inputKind: LintKind? { signature == nil ? kind : .directory }

    /// The rules that are not excluded.
    var rules: [Rule] {
        let patterns = patterns
        return Rule.all.filter { rule in !patterns.contains { $0.matches(rule) } }
    }

    /// Reads the files that the options name.
    ///
    /// - Parameter given: is set to what of that is linted too.
    func policy(given: inout [LintRun.GivenFile]) throws -> LintPolicy {
        try ProcessSetup.checkOpenSSL()
        var files: [LintRun.GivenFile] = []
        defer { given = files }
        let note = OptionFile.Note { given in
            let kinds: [String: LintKind] = ["--directory": .directory, "--jwks": .jwks, "--crl": .crl]
            guard let path = given.path, let kind = kinds[given.option] else { return }
            files.append(LintRun.GivenFile(source: path, bytes: given.content, kind: kind, issuer: given.issuer))
        }
        var policy = LintPolicy(now: time.now)
        policy.profile = profile
        policy.issuer = publisher.map { Issuer(unchecked: $0) }
        policy.waivedRules = Set(Rule.all.map(\.id)).subtracting(rules.map(\.id))
        policy.trustedIssuers = try trust.trustedIssuers(noting: note)
        policy.givenKeys = try OptionFile.keys(keys.jwks, noting: note)
        policy.givenLists = try OptionFile.revocationLists(keys.crl, noting: note)
        if let signature {
            policy.snapshotSignature = try OptionFile.read(
                signature, option: "--signature", limit: SignerOptions.signatureLimit)
            policy.snapshotSigner = try signer.signer().key
        }
        return policy
    }
}
