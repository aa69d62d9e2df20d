import ArgumentParser
import CredentialReports
import Credentials
import Directories
import HTTPSFetch
import HealthCertificates
import IssuerNetwork
import LocalFiles
import StrictJSON
import SystemPackage

/// Installing WHO's list: the list and the keys that have signed it together, or nothing.
extension DirectoryUpdateCommand {
    /// Installs the list at an address.
    func installSigners(from url: String) async throws {
        let bytes = try await network.fetchList(url, limit: Bounds.directorySize).bytes
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
        let given = try listKeys.keys()
        let store = try ListPlaces.standard.forUpdate(isSystem: isSystem)
        let list: ListToInstall
        do {
            let update = try ListUpdate(
                bytes, from: source, allowsTestLists: testLists.allowTestLists, now: .now)
            let installed = try verifiedSigners(for: store).map(\.installed)
            switch try update.step(given: given, installed: installed.first) {
            case .install(let found): list = found
            case .needsKeys(let signer):
                list = try update.install(byKeysIn: try await didDocument(of: signer, from: place), of: signer)
            }
        } catch let error as ListUpdateRefusal {
            throw refused(error, from: place)
        }
        let now = NumericDate.now
        let time = list.created ?? now
        try store.installOrEnd(as: .gdhcn, time: time) {
            // Another update may have installed a newer list since.
            for (installed, folder) in try verifiedSigners(for: store) {
                do throws(ListUpdateRefusal) {
                    try list.check(replacing: installed, in: folder)
                } catch {
                    throw refused(error, from: place)
                }
            }
            let keys: [(DirectoryFolder.Part, [UInt8])] = list.keys.map { [(.listKeys, $0)] } ?? []
            return [(.signers, list.bytes)] + keys
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
        try StandardStreams.write(
            Array(
                "installed: \(SignerRows.counts(of: list.list)), as of \(time.toTheSecond)\(signer)\n".utf8))
    }

    /// The installed lists whose proofs were verified, and their folders: that of the place of the update, and that of the other place, which
    /// the new list would be used instead of.
    private func verifiedSigners(
        for store: ListStore
    ) throws -> [(installed: ListUpdate.Installed, folder: String)] {
        var found: [(ListUpdate.Installed, String)] = []
        let others = ListPlaces.standard.all.filter { $0.isSystem != store.isSystem }
        for (index, place) in ([store] + others).enumerated() {
            // Another place that cannot be relied on is not used, and counts for nothing.
            let installed = index == 0 ? try installedSigners(in: place) : try? installed(in: place)
            guard let installed, installed.keys != nil else { continue }
            found.append((installed, "\(place.parent)/\(ListStore.Name.gdhcn.rawValue)"))
        }
        return found
    }

    /// What is installed in a place, as far as it can be relied on; nil if nothing is.
    private func installedSigners(in store: ListStore) throws -> ListUpdate.Installed? {
        guard store.mayHave(.gdhcn) else { return nil }
        do throws(DirectoryFolder.Failure) {
            // What is installed in a folder that others may write to is no reason to forget that something is.
            return try installed(in: store)
        } catch {
            // Of an installation without a list, nothing can be relied on, and it is replaced.
            if !error.isUnsafe, error.error == .noSuchFileOrDirectory { return nil }
            // Without them, an older list could be installed over this one.
            StandardStreams.warn(
                "shcverify: \(error.path): cannot be read: \(error.reason); nothing was installed. Remove the folder to install the list anew"
            )
            throw CommandExit.unreadable
        }
    }

    private func installed(in store: ListStore) throws(DirectoryFolder.Failure) -> ListUpdate.Installed {
        let folder = try store.installed(.gdhcn)
        let keys = try folder.listKeys()?.keys
        let list = (try? folder.read(.signers)).flatMap { try? SignerList($0) }
        return ListUpdate.Installed(list: list, keys: keys, statedTime: store.statedTime(of: .gdhcn))
    }

    /// Fetches the DID document that a proof names, if it is one of those that may be fetched.
    private func didDocument(of signer: UTF8Text, from place: String) async throws -> [UInt8] {
        let policy = AddressPolicy(allowsPrivateNetwork: false)
        guard let address = DIDAddress(signer, isPrivateHost: { policy.refusal(ofHost: $0) != nil }) else {
            StandardStreams.warn(
                "shcverify: \(place): its proof is of \(signer.quoted(upTo: 300)), whose keys are not known; it was not installed. Only WHO's "
                    + "are looked up; give others with --list-key")
            throw CommandExit.noKey
        }
        // A list chooses the document, so nobody but its host may give another one (WHO-K5).
        return try await network.fetchList(address.url, limit: Bounds.keySetSize, isOnlyFromItsHost: true).bytes
    }

    private func refused(_ refusal: ListUpdateRefusal, from place: String) -> any Error {
        let advice = refusal.kind == .testList ? "; --allow-test-lists permits it" : ""
        StandardStreams.warn("shcverify: \(place): \(refusal)\(advice); it was not installed")
        return switch refusal.kind {
        case .malformed: CommandExit.malformed
        case .invalidProof: CommandExit.signatureInvalid
        case .noKey: CommandExit.noKey
        case .testList: CommandExit.usage
        }
    }
}
