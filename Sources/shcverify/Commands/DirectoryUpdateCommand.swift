import ArgumentParser
import Credentials
import Directories
import Encodings
import HTTPSFetch
import HealthCertificates
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

    /// The file with WHO's list that a value of --from means: the file itself, or that in a folder without VCI's directory; nil if VCI's
    /// directory is meant.
    private static func signerFile(_ path: String) -> String? {
        guard path != "-", DirectoryFolder.isFolder(path) else { return path }
        let file = "\(path)/\(DirectoryFolder.Part.signers.rawValue)"
        return !DirectoryFolder.hasList(path) && InputReader.exists(file) ? file : nil
    }

    /// The three files, with a signature that verifies.
    ///
    /// VCI publishes the files one after the other. For a moment, snapshot and signature may not belong together, so
    /// the download is tried three times.
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
