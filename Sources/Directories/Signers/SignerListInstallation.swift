package import Credentials
package import HealthCertificates
import SystemPackage

/// The place in which WHO's list is installed: the list and the keys that have signed it together, or nothing.
///
/// `ListUpdate` says whether a list may be installed at all.
package struct SignerListInstallation: Sendable {
    /// An installed list whose proof was verified.
    package struct Verified: Sendable {
        /// What is installed.
        package let installed: ListUpdate.Installed
        /// The folder with the list, for messages.
        package let folder: String
        /// When it was installed; nil if that is not known.
        package let time: NumericDate?
        /// Whether it is for all users of the machine.
        package let isSystem: Bool
    }

    private let store: ListStore
    private let others: [ListStore]

    /// - Parameters:
    ///   - store: the place.
    ///   - places: all places of the machine and its user.
    package init(in store: ListStore, of places: ListPlaces) {
        self.store = store
        others = places.all.filter { $0.isSystem != store.isSystem }
    }

    /// The installed lists whose proofs were verified: that of this place first, and that of the other place, which the new list would be
    /// used instead of.
    ///
    /// - Throws: if what is installed in this place cannot be read.
    package func verified() throws(DirectoryFolder.Failure) -> [Verified] {
        var found: [Verified] = []
        for (index, place) in ([store] + others).enumerated() {
            // Another place that cannot be relied on is not used, and counts for nothing.
            let installed = index == 0 ? try own() : try? Self.installed(in: place)
            guard let installed, installed.keys != nil else { continue }
            found.append(
                Verified(
                    installed: installed, folder: "\(place.parent)/\(ListStore.Name.gdhcn.rawValue)",
                    time: place.dayOfInstallation(of: .gdhcn), isSystem: place.isSystem))
        }
        return found
    }

    /// Installs a list, unless it is a step back from a list whose proof was verified.
    ///
    /// - Parameter time: when the list was made, or else the time of the installation.
    /// - Throws: `DirectoryFolder.Failure` if what is installed cannot be read, since an older list could be installed over it then;
    ///   `ListUpdateRefusal` if it is another list than the installed one, or an older one; or `InstallationFailure`.
    package func install(_ list: ListToInstall, time: NumericDate) throws {
        try store.install(as: .gdhcn, time: time) {
            // Another update may have installed a newer list since.
            for verified in try verified() {
                try list.check(replacing: verified.installed, in: verified.folder)
            }
            let keys: [(DirectoryFolder.Part, [UInt8])] = list.keys.map { [(.listKeys, $0)] } ?? []
            return [(.signers, list.bytes)] + keys
        }
    }

    /// What is installed in this place, as far as it can be relied on; nil if nothing is.
    private func own() throws(DirectoryFolder.Failure) -> ListUpdate.Installed? {
        guard store.mayHave(.gdhcn) else { return nil }
        do throws(DirectoryFolder.Failure) {
            // What is installed in a folder that others may write to is no reason to forget that something is.
            return try Self.installed(in: store)
        } catch {
            // Of an installation without a list, nothing can be relied on, and it is replaced.
            if !error.isUnsafe, error.error == .noSuchFileOrDirectory { return nil }
            throw error
        }
    }

    private static func installed(in store: ListStore) throws(DirectoryFolder.Failure) -> ListUpdate.Installed {
        let folder = try store.installed(.gdhcn)
        let keys = try folder.listKeys()?.keys
        let list = (try? folder.read(.signers)).flatMap { try? SignerList($0) }
        return ListUpdate.Installed(list: list, keys: keys, statedTime: store.statedTime(of: .gdhcn))
    }
}
