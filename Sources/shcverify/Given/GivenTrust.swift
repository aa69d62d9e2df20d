import ArgumentParser
import Conformance
import Containers
import Credentials
import Cryptography
import Encodings
import FHIR
import HealthCertificates
import Processes
import SMARTHealthCards
import Verification

/// Whom the lists on a command line vouch for.
struct GivenTrust {
    /// The issuers of SMART Health Cards.
    private(set) var issuers = TrustedIssuers()
    /// The signers of EU Digital COVID Certificates.
    private(set) var signers = TrustedSigners()
    /// The keys whose private half is in a file of anchors.
    private(set) var compromised = CompromisedKeys()
    /// What is known about the proofs of lists, each with the value of the option that names the list.
    private(set) var proofs: [(source: String, proof: ListProof.Outcome)] = []

    /// The values of `--directory` that do not say how old they are.
    private(set) var undated: [String] = []
    /// The keys that are given with `--jwks`, and the first file among them that has keys of cards without saying whose they are.
    let keys: GivenKeys
    let ownerlessKeys: String?
    /// The keys that sign lists; nil if none were given.
    let listKeys: ListKeys?

    /// Reads all given lists and keys. Any of them may contain evidence against the key of a list, so all are read before a list of signers
    /// is accepted.
    ///
    /// - Parameter observer: gets each value.
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

/// The keys of `--list-key`, and the evidence against keys in everything else that was given.
struct GivenListKeys {
    private let files: [(path: String, keys: ListKeys)]
    /// The keys whose private half is published in anything that was given.
    var compromised = CompromisedKeys()

    /// Reads the files of `--list-key`.
    ///
    /// - Parameters:
    ///   - paths: the values of the option.
    ///   - observer: gets each file.
    init(_ paths: [String], observedBy observer: ValueObserver = .nobody) throws {
        files = try paths.map { ($0, try OptionFile.listKeys($0, observedBy: observer)) }
    }

    /// Whether the option is given.
    var areGiven: Bool { !files.isEmpty }

    /// The keys whose private half is not published; nil if none were given. Files that have no such key are named on standard error.
    ///
    /// - Throws: `CommandFailure` if no key is left at all.
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

extension VerificationPolicy {
    /// Reads the files that the options name.
    ///
    /// - Parameters:
    ///   - command: the command that has the options.
    ///   - apps: the patients' apps whose attestations are checked.
    ///   - caller: gets every value that affects verdicts.
    init(
        _ command: some VerifyingCommand, apps: Set<Issuer> = [], observedBy caller: ValueObserver = .nobody
    ) throws {
        let (keys, trust, records, network) = (command.keys, command.trust, command.records, command.network)
        let start = network.trace.start
        defer { network.trace.end(start, "options and their files read") }
        try ProcessSetup.checkOpenSSL()
        var given: [GivenFile] = []
        let observer = ValueObserver { value in
            if let path = value.path { given.append(GivenFile(option: value.option, path: path)) }
            caller.take(value)
        }
        self.init(try VerificationTime(at: command.at))
        switch command.at {
        case .given(let moment)?: observer("--at", Array("\(moment.sinceEpoch.components)".utf8))
        case .issue?: observer("--at", Array("issued".utf8))
        case .now?, nil: break
        }
        requiresRevocation = trust.isRevocationRequired
        if requiresRevocation { observer("--require-revocation", []) }
        if network.offline { observer("--offline", []) }
        if network.allowPrivateNetwork { observer("--allow-private-network", []) }
        if network.maxStale > 0 { observer("--max-stale", Array("\(network.maxStale)".utf8)) }
        if let days = trust.maxDirectoryAge { observer("--max-directory-age", Array("\(days)".utf8)) }
        if trust.isTrustRequired { observer("--require-trusted", []) }
        let trusted = try GivenTrust(trust, keys, observedBy: observer)
        for (source, proof) in trusted.proofs { network.trace.note(proof, of: source) }
        if trust.maxDirectoryAge != nil {
            for name in trusted.undated {
                StandardStreams.warn(
                    "shcverify: warning: --directory \(name): \(CredentialWarning.Code.directoryUndated.rawValue): it does not say when it was "
                        + "made, so --max-directory-age does not limit it")
            }
        }
        cards.trustedIssuers = trusted.issuers
        hcerts.signers = trusted.signers
        hcerts.anchors = trusted.issuers.anchors
        cards.maximumDirectoryAge = trust.maxDirectoryAge.map { .seconds($0 * 86_400) }
        hcerts.maximumListAge = cards.maximumDirectoryAge
        cards.requiresTrust = trust.isTrustRequired
        cards.isOffline = network.offline
        cards.givenKeys = trusted.keys
        self.apps = apps
        try trust.requireTrust(hasKeys: cards.trustsGivenKeys, remark: " Keys of an --app do not count.")
        try Self.checkOwner(of: trusted.ownerlessKeys, by: cards)
        cards.compromisedElsewhere = trusted.compromised
        hcerts.compromisedElsewhere = trusted.compromised
        (cards.givenLists, hcerts.revocations) = try OptionFile.revocations(keys.crl.all, observedBy: observer)
        for type in records.recordType.all { observer("--record-type", Array(type.utf8)) }
        if let since = records.since { observer("--since", Array(since.utf8)) }
        if let until = records.until { observer("--until", Array(until.utf8)) }
        recordQuery = try records.query()
        codeNames = try CodeNames(records.codes.all, observedBy: observer)
        if let caFile = network.caFile { _ = try OptionFile.certificateAuthorities(caFile, observedBy: observer) }
        try GivenFile.check(given, isTrustRequired: trust.isTrustRequired)
    }

    /// Throws if keys are given for every issuer although several issuers are trusted by name. The owner of such a key could then sign in
    /// the name of any of these issuers.
    ///
    /// - Parameter file: the first file of `--jwks` that has keys of cards without saying whose they are; nil if there is none.
    private static func checkOwner(of file: String?, by policy: CardPolicy) throws {
        guard policy.hasKeysForSeveralIssuers, let file else { return }
        throw ValidationError(
            "--jwks \(file) does not say whose keys it has, and several issuers are trusted: the owner of one of these keys could "
                + "sign as any of them. Write --jwks ISS=\(file), with the URL of the issuer whose keys these are.")
    }
}

extension LintPolicy {
    /// Reads the files that the options name.
    ///
    /// - Parameter given: is set to the files of options that are linted too.
    init(_ command: LintCommand, given givenFiles: inout [LintRun.GivenFile]) throws {
        try ProcessSetup.checkOpenSSL()
        var files: [LintRun.GivenFile] = []
        defer { givenFiles = files }
        let apps = command.links.apps
        let observer = ValueObserver { given in
            guard let path = given.path, let form = given.form else { return }
            // The keys of an app do not belong to an issuer: their key IDs may be any text.
            if let issuer = given.issuer, form == .jwks, apps.contains(issuer) { return }
            files.append(
                LintRun.GivenFile(
                    source: path, bytes: given.content(), json: given.json, kind: form, issuer: given.issuer))
        }
        self.init(now: try NumericDate(at: command.rules.at))
        var seen: Set<GivenProfile> = []
        for profile in command.rules.profile where seen.insert(profile).inserted {
            switch profile {
            case .named(let name): profiles.append(name)
            case .file(let path): try add(ownProfile: path)
            }
        }
        self.apps = apps
        namesRecipient = command.links.namedRecipient != nil
        codeNames = try CodeNames([])
        issuer = command.rules.publisher.map { Issuer(unchecked: $0) }
        let ownRules = ownProfiles.flatMap(\.rules)
        try command.rules.exclusions.validate(besides: ownRules)
        waivedRules = command.rules.exclusions.waivedRules(besides: ownRules)
        let trusted = try GivenTrust(command.trust, command.keys, observedBy: observer)
        for (source, proof) in trusted.proofs { command.network.trace.note(proof, of: source) }
        listKeys = trusted.listKeys
        trustedIssuers = trusted.issuers
        signers = trusted.signers
        compromisedElsewhere = trusted.compromised
        givenKeys = trusted.keys
        if let file = trusted.ownerlessKeys, apps.count > 1, profiles.contains(.patientApp) {
            throw ValidationError(
                "--jwks \(file) does not say whose keys it has, and several apps are named: the owner of one of these keys could attest "
                    + "as any of them. Write --jwks ISS=\(file), with the URL of the app whose keys these are.")
        }
        (givenLists, revocations) = try OptionFile.revocations(command.keys.crl.all, observedBy: observer)
        if let signature = command.rules.signature {
            snapshotSignature = try OptionFile.read(
                signature, option: "--signature", limit: SnapshotSigner.signatureLimit)
            snapshotSigner = try SnapshotSigner(certificate: command.rules.certificate).key
        }
    }

    /// Adds a user's own profile, named after its file.
    private mutating func add(ownProfile path: String) throws {
        let file = Array(path.utf8).split(separator: UInt8(ascii: "/")).last ?? []
        let name = String(decoding: file.prefix { $0 != UInt8(ascii: ".") }, as: UTF8.self)
        guard !ownProfiles.contains(where: { $0.name == name }) else {
            throw OptionFile.unusable(
                path, option: "--profile", "an earlier file has the same name, so its rules would too")
        }
        guard ownProfiles.count < Self.mostOwnProfiles else {
            throw ValidationError("--profile takes at most \(Self.mostOwnProfiles) files.")
        }
        let text = try OptionFile.read(path, option: "--profile", limit: OwnProfile.largestSize)
        ownProfiles.append(
            try OptionFile.use(path, option: "--profile") { () throws(Malformed) in
                try OwnProfile(text, name: name)
            })
    }

    /// How many files `--profile` takes.
    private static let mostOwnProfiles = 16
}

/// A list of codes as options name it: a file or an address, optionally after what all its codes are about, as in `covid19=list.json`.
struct NamedCodeList {
    let disease: TargetDisease?
    let place: String

    init(_ text: String) {
        disease = TargetDisease.allCases.first { text.hasPrefix($0.rawValue + "=") }
        place = disease.map { String(text.dropFirst($0.rawValue.count + 1)) } ?? text
    }
}

extension CodeNames {
    /// The built-in names, those of installed lists, and those from files.
    ///
    /// - Parameters:
    ///   - files: the values of `--codes`.
    ///   - observer: gets each list that can change between two runs.
    init(_ files: [String], observedBy observer: ValueObserver = .nobody) throws {
        self = .builtIn
        let installed = InstalledCodes.newest()
        add(installed)
        for list in installed.newestFirst { observer("codes", list.content, isFile: false) }
        for named in files.map({ NamedCodeList($0) }) {
            let bytes = try OptionFile.read(named.place, option: "--codes", limit: CodeList.maximumSize)
            // What the list is said to be about matters as much as its content. No JSON begins with such a word and a zero byte.
            observer("--codes", (named.disease.map { Array($0.rawValue.utf8) + [0] } ?? []) + bytes, path: named.place)
            do throws(Malformed) {
                let list = try CodeList(bytes, about: named.disease)
                add(list)
                for remark in list.notes { StandardStreams.warn("shcverify: --codes \(named.place): \(remark)") }
            } catch {
                throw OptionFile.unusable(named.place, option: "--codes", "\(error)")
            }
        }
    }
}

extension NumericDate {
    /// The time of `--at`, or the current time if the clock can be right.
    ///
    /// - Throws: `CommandFailure` if the clock is wrong.
    init(at given: NumericDate?) throws {
        if given == nil { try MachineClock.requireRight() }
        self = given ?? .now
    }
}

extension VerificationTime {
    /// The time at which cards are verified, by the clock of this machine.
    ///
    /// - Parameter given: the value of `--at`.
    /// - Throws: `CommandFailure` if the clock matters and is wrong.
    init(at given: Moment?) throws {
        let moment = given ?? .now
        switch moment {
        case .given: break
        // With "issued", `--at` is already given, so the message does not suggest it.
        case .now, .issue: try MachineClock.requireRight(takesTime: moment == .now)
        }
        self.init(moment, madeAt: .now)
    }
}

extension CheckInSession {
    /// Reads the files of a check-in's options.
    init(_ options: CheckInOptions) throws {
        self.init(origin: options.origin, isStrict: options.isStrict)
        if let path = options.request {
            let bytes = try Self.bytes(path, "--request")
            do throws(Malformed) {
                request = try CheckInRequest(file: bytes)
            } catch {
                throw ValidationError("--request \(path): it \(error).")
            }
        }
        if let path = options.recipientKey { recipientKey = try Self.key(path) }
        if let wanted = request?.encryption?.recipient, let recipientKey, recipientKey.publicKey != wanted {
            throw ValidationError("The key of --recipient-key is not that of --request (recipientPublicKey).")
        }
    }

    /// The private key in a file: a JWK of the type EC on P-256, with `d`.
    private static func key(_ path: String) throws -> P256AgreementKey {
        // The content is not repeated, because it could be the key itself.
        let refusal = ValidationError(
            "The file of --recipient-key is not the private key of a request: a JWK, EC P-256 with d.")
        var bytes = try self.bytes(path, "--recipient-key", isSecret: true)
        let numbers = numbers(in: bytes)
        // Overwrites the bytes that this program holds.
        _ = SecretBytes(&bytes)
        guard var numbers, let publicKey = try? P256PublicKey(x: numbers.x, y: numbers.y),
            let key = P256AgreementKey(&numbers.secret, publicKey: publicKey)
        else { throw refusal }
        return key
    }

    private static func numbers(in bytes: [UInt8]) -> (secret: [UInt8], x: [UInt8], y: [UInt8])? {
        guard let jwk = try? JSONDocument.parse(bytes), jwk["kty"]?.isString("EC") ?? false,
            jwk["crv"]?.isString("P-256") ?? false
        else { return nil }
        let number = { (name: String) in
            jwk[name]?.stringBytes.flatMap { try? Base64URL.decode($0) }.flatMap { $0.count == 32 ? $0 : nil }
        }
        guard let x = number("x"), let y = number("y"), let secret = number("d") else { return nil }
        return (secret, x, y)
    }

    private static func bytes(_ path: String, _ option: String, isSecret: Bool = false) throws -> [UInt8] {
        do throws(InputReader.Failure) {
            return try InputReader.read(path, limit: 1 << 20)
        } catch {
            throw CommandFailure(
                .unreadable,
                (isSecret ? "the file of \(option) " : "\(option) \(path): ") + "cannot be read: \(error.message)")
        }
    }
}

/// The key that signs snapshots.
struct SnapshotSigner {
    let key: P521PublicKey

    /// The maximum size of a signature file in bytes. A P-521 signature has about 139.
    static let signatureLimit = 4096

    /// The signer whose signature is required: that of `--certificate`, or VCI.
    init(certificate: String?) throws {
        try ProcessSetup.checkOpenSSL()
        guard let certificate else {
            key = try VCISigner.publicKey()
            return
        }
        let pem = try OptionFile.read(certificate, option: "--certificate", limit: Bounds.inputSize)
        key = try OptionFile.use(certificate, option: "--certificate") { () throws(Malformed) in
            try P521PublicKey(certificate: pem)
        }
    }

    /// Whether a signature over the snapshot verifies (SHC-D3).
    func signed(_ snapshot: [UInt8], signature: [UInt8]) -> Bool { (try? key.verify(signature, over: snapshot)) != nil }
}
