import ArgumentParser
import Credentials
import HTTPSFetch
import IssuerNetwork
import SMARTHealthCards

/// `shcverify directory update`: gets the directory, checks its signature and installs it.
struct DirectoryUpdateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Get the directory of trusted issuers, check its signature and install it for --directory vci.")

    /// The address at which VCI publishes the directory.
    static let published = "https://raw.githubusercontent.com/the-commons-project/vci-directory/main"

    @Option(
        name: .customLong("from"),
        help: ArgumentHelp(
            "Take the files from this folder instead of the network; it may be a clone of the directory's repository.",
            valueName: "dir"))
    var folder: String?

    @Option(
        name: .customLong("url"),
        help: ArgumentHelp(
            "The address of the folder with vci-issuers.json, logs/vci_snapshot.json and logs/vci_snapshot.sig.",
            valueName: "url"))
    var url: String?

    @OptionGroup var signer: SignerOptions
    @OptionGroup(title: "Network") var network: NetworkOptions

    func validate() throws {
        guard folder == nil || url == nil else { throw ValidationError("--from and --url cannot be combined.") }
        guard folder?.isEmpty != true else { throw ValidationError("--from needs a folder.") }
        if let url, (try? HTTPSURL(url)) == nil { throw ValidationError("--url needs an https URL.") }
        guard folder != nil || !network.offline else { throw ValidationError("--offline needs --from.") }
    }

    @MainActor
    func run() async throws {
        ProcessSetup.requireThreads()
        let certificate = try signer.signer()
        let files = try await signedFiles(certificate, limits: network.limits())
        let snapshot = try DirectoryFiles.parse(files.snapshot, name: DirectoryFolder.Part.snapshot.rawValue)
        let issuers = try DirectoryFiles.parse(files.issuers, name: DirectoryFolder.Part.issuers.rawValue)
        guard let source = try? DirectorySource(list: issuers, snapshot: snapshot), let time = snapshot.time else {
            StandardStreams.warn(
                "shcverify: the files have the wrong contents: a list of issuers is needed, and a snapshot with its time"
            )
            throw CommandExit.malformed
        }
        let latest = NumericDate(sinceEpoch: NumericDate.now.sinceEpoch + Self.clockTolerance)
        guard time <= latest else {
            throw refused("the snapshot has the time \(time), which this machine's clock has not reached")
        }
        let count = source.entries.count
        guard count > 0 else {
            throw refused("no issuer of the list is in the signed snapshot, so nobody would be trusted")
        }
        try DirectoryStore.withLock {
            // A wrong clock may have let in a snapshot from the future. It must not block all later ones.
            if let installed = DirectoryStore.installedTime, time < installed, installed <= latest {
                throw refused("the snapshot of \(time) is older than the installed one of \(installed)")
            }
            try DirectoryStore.install(files, time: time)
        }
        if count < issuers.entries.count {
            StandardStreams.warn(
                "shcverify: \(issuers.entries.count - count) issuers of the list are not in the signed "
                    + "snapshot and will not be trusted")
        }
        try StandardStreams.write(
            Array("installed: \(count) issuers, \(snapshot.keyCount) keys, as of \(time)\n".utf8))
    }

    /// How far a snapshot may be ahead of this machine's clock.
    private static let clockTolerance = Duration.seconds(86_400)

    private func refused(_ problem: String) -> any Error {
        StandardStreams.warn("shcverify: \(problem); it was not installed")
        return CommandExit.malformed
    }

    /// The three files, with a signature that verifies.
    ///
    /// VCI publishes the files one after the other. For a moment, snapshot and signature may not belong together, so
    /// the download is tried three times.
    private func signedFiles(
        _ certificate: SnapshotSigner, limits: IssuerClient.Limits
    ) async throws -> DirectoryFiles {
        let attempts = folder == nil ? 3 : 1
        for attempt in 1...attempts {
            let files = try await files(limits)
            if certificate.signed(files.snapshot, signature: files.signature) { return files }
            if attempt < attempts { try await Task.sleep(for: .seconds(1)) }
        }
        StandardStreams.warn(
            "shcverify: the snapshot's signature does not verify; nothing was installed. Somebody changed the snapshot, or "
                + "VCI has a new key (give its certificate with --certificate)")
        throw CommandExit.signatureInvalid
    }

    private func files(_ limits: IssuerClient.Limits) async throws -> DirectoryFiles {
        guard let folder else {
            let base = url ?? Self.published
            return DirectoryFiles(
                issuers: try await fetch("\(base)/\(DirectoryFolder.Part.issuers.rawValue)", limits),
                snapshot: try await fetch("\(base)/logs/\(DirectoryFolder.Part.snapshot.rawValue)", limits),
                signature: try await fetch("\(base)/logs/\(DirectoryFolder.Part.signature.rawValue)", limits))
        }
        return try OptionFile.read(option: "--from") { () throws(DirectoryFolder.Failure) in
            let folder = try DirectoryFolder(folder)
            return DirectoryFiles(
                issuers: try folder.read(.issuers), snapshot: try folder.read(.snapshot),
                signature: try folder.read(.signature))
        }
    }

    private func fetch(_ url: String, _ limits: IssuerClient.Limits) async throws -> [UInt8] {
        let response: HTTPResponse
        do throws(TransportFailure) {
            response = try await FetchProcess.installed.send(
                HTTPRequest(
                    url: url, timeout: limits.timeout, maximumBodySize: Bounds.directorySize,
                    allowsPrivateNetwork: limits.allowsPrivateNetwork,
                    certificateAuthorityFile: limits.certificateAuthorities?.file))
        } catch {
            if let fault = InstallationFault(error) { throw fault }
            throw unavailable(url, error.message)
        }
        guard response.status == 200 else {
            throw unavailable(url, "the server answered with status \(response.status)")
        }
        return response.body
    }

    private func unavailable(_ url: String, _ problem: String) -> any Error {
        StandardStreams.warn("shcverify: \(url) could not be fetched: \(problem)")
        return CommandExit.unavailable
    }
}
