import ArgumentParser
import Conformance
import CredentialReports
import Credentials
import Cryptography
import Directories
import Encodings
import Evidence
import HealthCertificates
import LintReports
import Processes
import SMARTHealthCards

/// `shcverify directory show [ISS|NAME|PATH]`: lists the issuers of a directory, or finds some of them.
struct DirectoryShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration.of("directory show")

    @Argument(
        help: ArgumentHelp(
            "An issuer's URL, a part of its name, or the ID of one of its keys; for signers, a country, a key ID or a part of the subject. "
                + "Without --directory, it may be a file or folder with a list, which is shown whole."),
        completion: KnownWords.issuers)
    var wanted: String?

    @Option(help: .of("directory.directoryshow"), completion: .file()) var directory: [GivenValues] = []

    @Option(help: .of("at.directoryshow"), transform: Self.time) var at: NumericDate?

    @Option(help: .of("format.directoryshow")) var format = ListFormat.text

    @Option(help: .of("list-key"), completion: .file()) var listKey: [GivenValues] = []

    func validate() throws {
        // No issuer has a longer URL.
        guard (wanted?.utf8.count ?? 0) <= 2048 else {
            throw ValidationError("The search text is longer than 2048 bytes.")
        }
        guard at == nil || !directory.isEmpty else {
            throw ValidationError("--at needs --directory, with a folder of dated snapshots.")
        }
    }

    func run() throws {
        var trusted = TrustedIssuers()
        var lists: [SignerList] = []
        var shown: [ListRow] = []
        var listKeys = try GivenListKeys(listKey.all)
        var read: [(path: String, list: OptionFile.TrustList)] = []
        var dated: [DirectoryListing.Dated] = []
        let file = directory.isEmpty ? wanted.flatMap { OptionFile.isList($0) ? $0 : nil } : nil
        let wanted = file == nil ? wanted : nil
        for name in file.map({ [$0] }) ?? (directory.isEmpty ? Self.installed : directory.all) {
            let found = try at.map { try Self.dated(name, at: $0) } ?? []
            dated += found
            for path in at == nil ? [name] : found.map(\.snapshot.path) {
                let option = file == nil ? "--directory" : "directory show"
                let list = try OptionFile.directory(path, option: option, hasListKeys: listKeys.areGiven)
                read.append((path, list))
                switch list {
                case .issuers(let source): trusted.add(source)
                case .signers(let list): listKeys.compromised.formUnion(list.compromised)
                }
            }
        }
        listKeys.compromised.formUnion(trusted.compromised)
        // Lists for tests need no permission here, because they are only shown.
        let rules = listKeys.rules(try listKeys.usable(), allowsTestLists: true)
        for (path, list) in read {
            guard case .signers(let list) = list else {
                shown.append(ListRow(source: path))
                continue
            }
            let admitted = try list.admitted(rules)
            lists.append(admitted.list)
            shown.append(ListRow(source: path, list: admitted))
        }
        let signers = SignerRows(lists, wanted: wanted)
        let rows = trusted.entries.filter { Self.isWanted($0, of: trusted, wanted) }.map { entry in
            DirectoryListing.Row(entry: entry, snapshots: trusted.snapshots(of: entry.issuer))
        }
        let listing = DirectoryListing(at: at, snapshots: dated, lists: shown, issuers: rows, signers: signers)
        let destination = StandardStreams.destination(isColoured: ColorChoice.auto.isOn)
        try StandardStreams.write(
            format == .text ? TextRenderer.bytes(listing.blocks, to: destination) : listing.json(to: destination))
        for dated in dated { StandardStreams.warn("shcverify: \(dated.words)") }
        // Somebody who searches for an issuer is not interested in lists of signers.
        if wanted == nil || !signers.isEmpty || trusted.entries.isEmpty {
            for list in shown.compactMap(\.words) { StandardStreams.warn("shcverify: \(list)") }
        }
        if wanted == nil, let words = Self.unreached(nil, in: trusted) { StandardStreams.warn("shcverify: \(words)") }
        if rows.isEmpty, signers.isEmpty {
            let kind = lists.isEmpty ? "issuer" : trusted.entries.isEmpty ? "signer" : "issuer or signer"
            let sought = wanted.map { ": \($0.quoted(upTo: 300))" } ?? ""
            let hints =
                wanted.map {
                    Self.unreached($0, in: trusted).map { [$0] } ?? Self.hints(at: $0, in: trusted)
                        + SignerRows.hints(at: $0, in: lists)
                } ?? []
            throw CommandFailure(
                .notListed, "the directory lists no such \(([kind + sought] + hints).joined(separator: "; "))")
        }
    }

    /// Reads the value of `--at`. A date means the end of that day in UTC.
    static func time(_ text: String) throws -> NumericDate {
        if text.utf8.count == 10, let end = NumericDate(text: text + "T23:59:59Z") { return end }
        return try NumericDate.ofOption(text)
    }

    /// The issuers that have no keys in their snapshots because the keys could not be fetched, each with the reason; nil if there are none.
    ///
    /// - Parameter wanted: an issuer's URL or a part of its name; nil for all.
    private static func unreached(_ wanted: String?, in trusted: TrustedIssuers) -> String? {
        let found = trusted.unreached.filter { issuer in
            guard let wanted else { return true }
            return issuer.entry.issuer == Issuer(unchecked: wanted)
                || issuer.entry.name?.mentions(UTF8Text(wanted)) == true
        }
        guard !found.isEmpty else { return nil }
        let shown = found.prefix(5).map { issuer in
            "\((issuer.entry.name?.description ?? issuer.entry.issuer.url).quoted(upTo: 100)) (\(issuer.problem))"
        }
        let rest = found.count > shown.count ? ", and \(found.count - shown.count) more" : ""
        return
            "without keys, since they could not be fetched when the snapshot was made: \(shown.joined(separator: ", "))\(rest)"
    }

    /// What a text may mean that is the name of no listed issuer.
    private static func hints(at wanted: String, in trusted: TrustedIssuers) -> [String] {
        if let near = trusted.nearMiss(of: Issuer(unchecked: wanted)) { return [near] }
        // Words that the text may have in common with a name.
        let words = UTF8Text(wanted).asciiLowercased.utf8.split {
            $0 < 0x80 && !(0x61...0x7A).contains($0) && !(0x30...0x39).contains($0)
        }.map { UTF8Text(decoding: $0) }.filter { $0.utf8.count > 3 && $0 != "https" }
        let names = trusted.entries.compactMap(\.name).filter { name in words.contains { name.mentions($0) } }
        guard !names.isEmpty else {
            return wanted.utf8.contains(UInt8(ascii: "/")) && !InputReader.exists(wanted)
                && !wanted.utf8.starts(with: "https://".utf8) ? ["there is no file of that name either"] : []
        }
        return ["names that are like it: \(names.prefix(3).map { $0.quoted(upTo: 100) }.joined(separator: ", "))"]
    }

    /// The latest snapshots of a folder at a point in time.
    private static func dated(_ folder: String, at time: NumericDate) throws -> [DirectoryListing.Dated] {
        let archive: SnapshotArchive
        do throws(SnapshotArchive.Failure) {
            archive = try SnapshotArchive(folder)
        } catch {
            throw end(for: error, of: folder)
        }
        if archive.otherCount > 0 {
            let files =
                archive.otherCount == 1
                ? "skipped 1 file, because it is not a snapshot"
                : "skipped \(archive.otherCount) files, because they are not snapshots"
            StandardStreams.warn("shcverify: \(folder): \(files) with a time")
        }
        guard let first = archive.snapshots.first else {
            throw OptionFile.unusable(folder, option: "--directory", "it has no snapshots with a time")
        }
        guard let (snapshots, next) = archive.latest(by: time) else {
            throw CommandFailure(
                .notListed, "\(folder): the earliest snapshot is of \(first.time), so nothing is known of \(time)")
        }
        return snapshots.map { DirectoryListing.Dated(snapshot: $0, next: next) }
    }

    /// The error for a folder of dated snapshots that cannot be used.
    private static func end(for failure: SnapshotArchive.Failure, of folder: String) -> CommandFailure {
        let option = "--directory"
        switch failure {
        case .noFolder:
            return CommandFailure(.unreadable, "\(option) \(folder): cannot be read as a folder")
        case .tooManyFiles:
            return OptionFile.unusable(
                folder, option: option,
                "it has more than \(SnapshotArchive.maximumFiles) files whose names end in .json")
        case .unreadable(let path, let failure): return OptionFile.unreadable(path, option: option, failure)
        case .tooLarge(let path): return OptionFile.tooLarge(path, option: option, limit: Bounds.directorySize)
        }
    }

    /// The names of the installed lists. If there are none, VCI's, so that the user learns how to install it.
    private static var installed: [String] {
        let names = ListStore.Name.directories.filter { ListPlaces.standard.isInstalled($0) }
        return (names.isEmpty ? [.vci] : names).map(\.rawValue)
    }

    private static func isWanted(_ entry: DirectoryEntry, of trusted: TrustedIssuers, _ wanted: String?) -> Bool {
        guard let wanted else { return true }
        return entry.issuer == Issuer(unchecked: wanted)
            || trusted.snapshots(of: entry.issuer).contains { !$0.keySet.keys(named: KeyID(wanted)).isEmpty }
            || entry.name?.mentions(UTF8Text(wanted)) == true
    }
}

/// `shcverify directory verify FILE`: checks the signature of a snapshot, or the proof of a trust list. It installs nothing.
struct DirectoryVerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration.of("directory verify")

    @Argument(help: .of("snapshot.directoryverify"), completion: .file()) var snapshot: String

    @Option(help: .of("signature"), completion: .file()) var signature: String?

    @Option(help: .of("certificate"), completion: .file()) var certificate: String?
    @Option(help: .of("list-key"), completion: .file()) var listKey: [GivenValues] = []

    func validate() throws {
        guard listKey.isEmpty || signature == nil && certificate == nil else {
            throw ValidationError(
                "--list-key is for trust lists, which hold their own proof; --signature and --certificate are for others."
            )
        }
    }

    func run() throws {
        guard let signature else { return try verifyList() }
        let signer = try SnapshotSigner(certificate: certificate)
        let snapshot = try OptionFile.read(self.snapshot, option: "directory", limit: Bounds.directorySize)
        let detached = try OptionFile.read(signature, option: "--signature", limit: SnapshotSigner.signatureLimit)
        guard signer.signed(snapshot, signature: detached) else {
            throw failure(
                .signatureInvalid,
                "the signature does not verify: the snapshot and the signature do not belong together, or somebody else signed it"
            )
        }
        let directory = try read { () throws(Malformed) in try IssuerDirectory(snapshot) }
        try StandardStreams.write(line: "signature valid: \(Self.words(for: directory))")
    }

    /// A short description of a directory.
    private static func words(for directory: IssuerDirectory) -> String {
        var text = "\(directory.entries.count) issuers"
        if directory.isSnapshot { text += ", \(directory.keyCount) keys" }
        if let time = directory.time { text += ", as of \(time.toTheSecond)" }
        return text
    }

    // MARK: Lists that hold their own proof

    private func verifyList() throws {
        try ProcessSetup.checkOpenSSL()
        var listKeys = try GivenListKeys(listKey.all)
        let bytes = try OptionFile.read(snapshot, option: "directory", limit: Bounds.directorySize)
        guard listKeys.areGiven else { return try verifyGermanList(bytes) }
        let list = try list(bytes)
        listKeys.compromised = list.compromised.provenAlone
        let keys = try listKeys.usable()
        guard let proof = list.proof else {
            throw failure(.malformed, "it is \(list.form.words), which has no proof of who made it")
        }
        let outcome = proof.outcome(by: keys)
        switch outcome {
        case .verified(let verified):
            try StandardStreams.write(line: Self.words(for: verified, list))
        case .invalid: throw failure(.signatureInvalid, outcome.words)
        case .noKey: throw failure(.noKey, outcome.words)
        case .absent, .uncheckable, .unchecked: throw failure(.malformed, outcome.words)
        }
    }

    private static func words(for verified: VerifiedList, _ list: SignerList) -> String {
        let key = "verified by the key \(verified.thumbprint)"
        guard list.form == .gdhcn else { return "signature valid: \(list.entries.count.counted("signer")), \(key)" }
        let environment = list.environment.map { "environment \($0.rawValue)" } ?? "of no known environment"
        let signer = verified.statement.signer?.description ?? ""
        let created = verified.statement.created.map { "\($0.toTheSecond)" } ?? ""
        return "proof valid: signed by \(signer) at \(created), \(environment), \(key)"
    }

    private func failure(_ reason: RunReason, _ problem: String) -> CommandFailure {
        CommandFailure(reason, problem, of: "shcverify: \(snapshot)")
    }

    private func list(_ bytes: [UInt8]) throws -> SignerList {
        try read { () throws(Malformed) in try SignerList(bytes) }
    }

    private func read<T>(_ body: () throws(Malformed) -> T) throws -> T {
        do throws(Malformed) {
            return try body()
        } catch {
            throw failure(.malformed, error.description)
        }
    }

    /// Checks the signature in the first line of a German trust list with the key of `--certificate`.
    private func verifyGermanList(_ bytes: [UInt8]) throws {
        guard let signed = SignedText(bytes) else {
            if let list = try? SignerList(bytes), list.form == .gdhcn {
                throw ValidationError(
                    "--list-key is needed: the keys that sign WHO's trust list, as the DID document that its proof names."
                )
            }
            throw ValidationError(
                "Give the snapshot's signature with --signature (VCI publishes it as vci_snapshot.sig). Without it, only a trust list that "
                    + "holds its own proof can be checked, such as WHO's with --list-key or the German one. \(snapshot) is not one of these."
            )
        }
        guard let path = certificate else {
            throw ValidationError(
                "--list-key or --certificate is needed: the key that signs the German trust list, as PEM.")
        }
        let pem = try OptionFile.read(path, option: "--certificate", limit: Bounds.inputSize)
        let key = try OptionFile.use(path, option: "--certificate") { () throws(Malformed) in
            try P256PublicKey(pem: pem)
        }
        guard !CompromisedKeys(privateKeysIn: pem).contains(.es256(key)) else {
            throw OptionFile.unusable(
                path, option: "--certificate", "it has the private half of the key, which only its owner may have")
        }
        guard signed.isSigned(by: key) else {
            throw failure(
                .signatureInvalid, "the signature does not verify: somebody changed the list, or another key signed it")
        }
        try StandardStreams.write(line: "signature valid: \(try list(bytes).entries.count.counted("signer"))")
    }
}

/// `shcverify directory audit`: checks a directory and every issuer in it.
struct DirectoryAuditCommand: WaitingCommand {
    static let configuration = CommandConfiguration.of("directory audit")

    @Option(help: .of("directory.directoryaudit"), completion: .file()) var directory: [GivenValues] = []

    @Option(name: .customLong("compare"), help: .of("compare"), completion: .file()) var earlier: String?

    @Option(help: .of("exclude"), completion: .list(KnownWords.rules)) var exclude: [GivenValues] = []
    @OptionGroup var round: SweepOptions

    @Option(help: ArgumentHelp(AuditFormat.help)) var format = AuditFormat.text

    @Option(help: "The lowest severity that sets exit code 10.") var failOn = Severity.error

    @Option(help: "Whether to colour the report. NO_COLOR is respected.") var color = ColorChoice.auto

    /// The maximum size of the revocation lists of one issuer, in bytes. Several issuers are judged at the same time.
    private static let listSize = Bounds.revocationListSize / 4

    func validate() throws { try RuleExclusions(exclude).validate() }

    nonisolated(nonsending) func perform() async throws -> RunOutcome {
        ProcessSetup.requireThreads()
        try ProcessSetup.checkOpenSSL()
        try MachineClock.requireRight(takesTime: false)
        let start = ContinuousClock.now
        let named = directory.isEmpty ? [ListStore.Name.vci.rawValue] : directory.all
        var policy = LintPolicy(now: .now)
        policy.waivedRules = RuleExclusions(exclude).waivedRules()
        var files: [(name: String, bytes: [UInt8])] = []
        for name in named {
            let observer = ValueObserver { given in
                if given.isFile { files.append((given.path ?? name, given.content())) }
            }
            policy.trustedIssuers.add(try OptionFile.issuers(name, observedBy: observer))
        }
        let before = try earlier.map { try OptionFile.earlier($0, option: "--compare") }
        var linter = try Linter(policy: policy)
        for file in files { linter.add(file.bytes, source: file.name, as: .directory) }
        linter.finishReading()

        let entries = policy.trustedIssuers.entries
        let audited = try await IssuerSweep(round, triesTLS: true, listSize: Self.listSize).results(
            of: entries.map(\.issuer), showing: SweepProgressLine(count: entries.count)
        ) { [policy] place, answers in
            try AuditedIssuer(entries[place], answers: answers, policy: policy)
        }
        var issuers = zip(entries, audited).map { $1 ?? AuditedIssuer(notJudged: $0) }
        let names = files.map(\.name)
        let comparison = before.map { before in
            DirectoryComparison(
                from: earlier ?? "", DirectoryChange.all(from: before.states, to: issuers.map(\.state)),
                findings: before.audit.map { [findings = linter.findings, issuers] in
                    FindingChanges(
                        since: $0, directories: names, findings: findings, issuers: issuers,
                        waived: policy.waivedRules)
                })
        }
        let known = Dictionary((before?.states ?? []).map { ($0.issuer, $0) }) { first, _ in first }
        for place in issuers.indices { issuers[place].keep(known[issuers[place].entry.issuer]) }
        let audit = DirectoryAudit(
            at: policy.now, of: names, findings: linter.findings, issuers: issuers,
            comparison: comparison,
            waived: policy.waivedRules.count, failingOn: failOn, duration: start.duration(to: .now))
        try format.write(
            audit, to: StandardStreams.destination(isColoured: color.isOn), by: .shcverify, sink: StandardStreams.write)
        return audit.outcome
    }
}
