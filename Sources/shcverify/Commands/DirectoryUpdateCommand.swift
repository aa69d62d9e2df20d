import ArgumentParser
import Credentials
import Directories
import Encodings
import HTTPSFetch
import HealthCertificates
import LintReports
import Processes

/// `shcverify directory update`: gets the directory, checks its signature and installs it.
struct DirectoryUpdateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration.of("directory update")

    /// The address at which VCI publishes the directory.
    static let published = "https://raw.githubusercontent.com/the-commons-project/vci-directory/main"

    /// The address at which WHO publishes its trust list (GDHCN).
    static let publishedSigners = "https://tng-cdn.who.int/v2/trustlist/did.json"

    @Option(name: .customLong("from"), help: .of("from.directoryupdate"), completion: .file()) var folder: String?

    @Option(help: .of("url")) var url: String?

    @Flag(name: .customLong("system"), help: .of("system")) var isSystem = false

    @Flag(name: [.customShort("q"), .customLong("quiet")], help: .of("quiet")) var quiet = false

    @Option(help: .of("certificate"), completion: .file()) var certificate: String?
    @Option(help: .of("list-key"), completion: .file()) var listKey: [GivenValues] = []

    @Flag(help: .of("allow-test-lists")) var allowTestLists = false
    @OptionGroup(title: "Network") var network: UncachedNetworkOptions

    func validate() throws {
        guard folder == nil || url == nil else { throw ValidationError("--from and --url cannot be combined.") }
        guard folder?.isEmpty != true else { throw ValidationError("--from needs a folder, or a did.json.") }
        if let url, (try? HTTPSURL(url)) == nil {
            throw ValidationError("--url needs an https URL. --from takes files.")
        }
        guard folder != nil || !network.offline else { throw ValidationError("--offline needs --from.") }
    }

    @MainActor
    func run() async throws {
        ProcessSetup.requireThreads()
        if let url, url.utf8.prefix(while: { $0 != UInt8(ascii: "?") }).suffix(5).elementsEqual(".json".utf8) {
            try ProcessSetup.checkOpenSSL()
            return try await installSigners(from: url)
        }
        if let file = folder.flatMap(Self.signerFile) {
            try ProcessSetup.checkOpenSSL()
            let bytes = try OptionFile.read(
                file, option: "--from", limit: Bounds.directorySize, consequence: "; nothing was installed")
            return try await installSigners(bytes, from: file, .file)
        }
        guard listKey.isEmpty else {
            throw ValidationError(
                "--list-key is for WHO's list: give its did.json with --from, or its address with --url.")
        }
        let signer = try SnapshotSigner(certificate: certificate)
        let files = try await signedFiles(signer)
        let update: IssuerDirectoryUpdate
        do throws(Malformed) {
            update = try IssuerDirectoryUpdate(files, now: .now)
        } catch {
            throw CommandFailure(.malformed, error.description)
        }
        let store = try ListPlaces.standard.forUpdate(isSystem: isSystem)
        do {
            try update.install(in: store)
        } catch let refusal as Malformed {
            throw CommandFailure(.malformed, refusal.description)
        } catch let failure as InstallationFailure {
            throw store.end(for: failure)
        }
        guard !quiet else { return }
        if update.unsignedCount > 0 {
            StandardStreams.warn(
                "shcverify: \(update.unsignedCount.counted("issuer of the list is", "issuers of the list are")) not in the signed "
                    + "snapshot and will not be trusted")
        }
        try StandardStreams.write(
            line: "installed: \(update.issuerCount) issuers, \(update.keyCount) keys, as of \(update.time.toTheSecond)")
    }

    /// The file with WHO's list that a value of --from means: the file itself, or the one in a folder that does not have VCI's directory.
    /// Nil if VCI's directory is meant.
    private static func signerFile(_ path: String) -> String? {
        guard path != "-", DirectoryFolder.isFolder(path) else { return path }
        let file = "\(path)/\(DirectoryFolder.Part.signers.rawValue)"
        return !DirectoryFolder.hasList(path) && InputReader.exists(file) ? file : nil
    }

    /// The three files, with a signature that verifies.
    ///
    /// VCI publishes the files one after another. For a moment, the snapshot and the signature may not belong together, so the download is
    /// tried three times.
    private func signedFiles(_ signer: SnapshotSigner) async throws -> SignedDirectoryFiles {
        let attempts = folder == nil ? 3 : 1
        for attempt in 1...attempts {
            if let signed = try await fetchedFiles().signed(by: signer.key) { return signed }
            if attempt < attempts { try await Task.sleep(for: .seconds(1)) }
        }
        throw CommandFailure(
            .signatureInvalid,
            "the snapshot's signature does not verify; nothing was installed. Somebody changed the snapshot, or "
                + "VCI has a new key (give its certificate with --certificate)")
    }

    private func fetchedFiles() async throws -> DirectoryFiles {
        guard let folder else {
            let base = url ?? Self.published
            let fetch = { (path: String) in
                try await Requests(network).fetchList("\(base)/\(path)", limit: Bounds.directorySize).bytes
            }
            return DirectoryFiles(
                issuers: try await fetch(DirectoryFolder.Part.issuers.publishedPath),
                snapshot: try await fetch(DirectoryFolder.Part.snapshot.publishedPath),
                signature: try await fetch(DirectoryFolder.Part.signature.publishedPath))
        }
        return try OptionFile.read(option: "--from") { () throws(DirectoryFolder.Failure) in
            try DirectoryFiles(in: DirectoryFolder(folder))
        }
    }
}

/// Installs WHO's list: the list together with the keys that have signed it, or nothing.
extension DirectoryUpdateCommand {
    /// Installs the list at an address.
    func installSigners(from url: String) async throws {
        let bytes = try await Requests(network).fetchList(url, limit: Bounds.directorySize).bytes
        let path = Array(url.utf8.dropFirst("https://".utf8.count).drop { $0 != UInt8(ascii: "/") })
            .prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        try await installSigners(bytes, from: url, .url(path: Array(path)))
    }

    /// Installs a list of signers that is published as a DID document.
    ///
    /// - Parameters:
    ///   - bytes: the list.
    ///   - place: its address or path, for messages.
    ///   - source: where it comes from.
    func installSigners(_ bytes: [UInt8], from place: String, _ source: ListUpdate.Source) async throws {
        var listKeys = try GivenListKeys(listKey.all)
        let store = try ListPlaces.standard.forUpdate(isSystem: isSystem)
        let installation = SignerListInstallation(in: store, of: .standard)
        let list: ListToInstall
        let time: NumericDate
        var installed: SignerListInstallation.Verified?
        do {
            let update = try ListUpdate(
                bytes, from: source, allowsTestLists: allowTestLists, now: .now)
            listKeys.compromised = update.compromisedKeys
            let given = try listKeys.usable()
            installed = given == nil ? try installation.verified().first : nil
            switch try update.step(given: given, installed: installed?.installed) {
            case .install(let found): list = found
            case .needsKeys(let signer):
                list = try update.install(byKeysIn: try await didDocument(of: signer, from: place), of: signer)
            }
            time = list.created ?? .now
            try installation.install(list, time: time)
        } catch let error as ListUpdateRefusal {
            if case .url = source { installed = nil }
            throw refused(error, from: place, checkedBy: installed)
        } catch let failure as DirectoryFolder.Failure {
            throw Self.unreadable(failure)
        } catch let failure as InstallationFailure {
            throw store.end(for: failure)
        }
        try report(list, time)
    }

    private func report(_ list: ListToInstall, _ time: NumericDate) throws {
        guard !quiet else { return }
        if list.verified == nil {
            StandardStreams.warn(
                "shcverify: the proof of the list was not checked; the list is as trustworthy as the place it came from, and the time of this "
                    + "installation counts as its date. With --list-key it is checked")
        }
        if let environment = list.list.environment, environment.isForTests {
            StandardStreams.warn(
                "shcverify: it is a list of WHO's test network \(environment.rawValue), for tests only")
        }
        let signer =
            list.verified.map { ", proof\($0.statement.signerWords) verified by the key \($0.thumbprint)" } ?? ""
        let counts = SignerRows.counts(of: list.list)
        try StandardStreams.write(line: "installed: \(counts), as of \(time.toTheSecond)\(signer)")
    }

    /// Fetches the DID document that a proof names, if it is one of those that may be fetched.
    private func didDocument(of signer: UTF8Text, from place: String) async throws -> [UInt8] {
        let policy = AddressPolicy(allowsPrivateNetwork: false)
        guard let address = DIDAddress(signer, isPrivateHost: { policy.refusal(ofHost: $0) != nil }) else {
            throw CommandFailure(
                .noKey,
                "\(place): its proof is of \(signer.quoted(upTo: 300)), whose keys are not known; it was not installed. Only WHO's "
                    + "are looked up; give others with --list-key")
        }
        // The list chooses the document, so only the host that it names may supply it (WHO-K5).
        return try await Requests(network).fetchList(address.url, limit: Bounds.keySetSize, isOnlyFromItsHost: true)
            .bytes
    }

    /// Which key was installed, when, and how to replace it.
    private static func words(for installed: SignerListInstallation.Verified) -> String {
        let keys = installed.installed.keys?.thumbprints.joined(separator: ", ") ?? ""
        let id = installed.installed.id.map { " with the list \($0.quoted(upTo: 200))" } ?? ""
        let day = installed.time.map { " at \($0.toTheSecond)" } ?? ""
        return
            "it was checked by the key \(keys), which was installed\(id)\(day) in \(installed.folder); if the "
            + "signer of the same list has a new key, give it with --list-key; for the list of another network, first remove what is "
            + "installed: \"shcverify directory remove gdhcn\(installed.isSystem ? " --system" : "")\""
    }

    /// The error for an update that cannot tell what is installed.
    private static func unreadable(_ failure: DirectoryFolder.Failure) -> CommandFailure {
        CommandFailure(
            .unreadable,
            "\(failure.path): cannot be read: \(failure.reason); nothing was installed. Remove the folder to install the list anew"
        )
    }

    /// - Parameter installed: the installed list whose keys were used to check the proof; nil if other keys were given.
    private func refused(
        _ refusal: ListUpdateRefusal, from place: String, checkedBy installed: SignerListInstallation.Verified? = nil
    ) -> CommandFailure {
        let remove = "\"shcverify directory remove gdhcn\""
        let advice: String? =
            switch refusal.reason {
            case .testList: "--allow-test-lists permits it"
            case .stepBack: "\(remove) does that, with --system for the list of all users"
            case .invalidProof, .noKey: installed.map { Self.words(for: $0) }
            case .malformed, .compromisedKey: nil
            }
        let reason: RunReason =
            switch refusal.reason {
            case .malformed, .stepBack: .malformed
            case .invalidProof: .signatureInvalid
            case .noKey: .noKey
            case .testList, .compromisedKey: .usage
            }
        return CommandFailure(
            reason, "\(place): \(refusal)\(advice.map { "; \($0)" } ?? ""); it was not installed")
    }
}
