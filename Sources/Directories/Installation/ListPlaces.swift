package import Credentials
import Processes

/// The places in which lists are installed: that of the user, and that of the whole machine.
package struct ListPlaces: Sendable {
    /// The user's own place; nil if neither `XDG_DATA_HOME` nor `HOME` is set to an absolute path.
    package let user: ListStore?
    /// The place for all users.
    package let system: ListStore

    package init(user: ListStore?, system: ListStore) {
        self.user = user
        self.system = system
    }

    /// The places that the environment of a process names. Paths that are not absolute count for nothing.
    ///
    /// - Parameters:
    ///   - dataHome: `XDG_DATA_HOME`: the folder with the user's data.
    ///   - home: `HOME`: the user's folder.
    ///   - systemFolder: `SHCVERIFY_SYSTEM_DIR`: the place for all users, instead of `/var/lib/shcverify`.
    package init(dataHome: String?, home: String?, systemFolder: String?) {
        let absolute = { (path: String?) in path.flatMap { $0.hasPrefix("/") ? $0 : nil } }
        let own = absolute(dataHome).map { $0 + "/shcverify" } ?? absolute(home).map { $0 + "/.local/share/shcverify" }
        user = own.map { ListStore(parent: $0, isSystem: false) }
        system = ListStore(parent: absolute(systemFolder) ?? "/var/lib/shcverify", isSystem: true)
    }

    /// The places of this process.
    package static var standard: ListPlaces {
        ListPlaces(
            dataHome: HostProcess.environmentVariable("XDG_DATA_HOME"), home: HostProcess.environmentVariable("HOME"),
            systemFolder: HostProcess.environmentVariable("SHCVERIFY_SYSTEM_DIR"))
    }

    /// Both places, the user's first.
    package var all: [ListStore] { [user, system].compactMap(\.self) }

    /// Whether a list is installed for this user or for all. Whether it can be used is another question (`preferred`).
    package func isInstalled(_ name: ListStore.Name) -> Bool { all.contains { $0.isInstalled(name) } }

    // MARK: The list that is used

    /// The installation of a list that is used.
    package struct Preferred {
        /// The folder with the list.
        package let folder: DirectoryFolder
        /// Why those of other places are left out that cannot be relied on.
        package let leftOut: [DirectoryFolder.Failure]
    }

    /// The installation of a list that is used: one whose proof was verified before one whose proof was not checked, and of two alike
    /// the newer one. One that cannot be relied on is left out, if there is another. But an unchecked list does not replace one that
    /// was verified.
    ///
    /// - Returns: nil if the user has no place, and the list is not installed for all.
    /// - Throws: if the list is installed nowhere, or cannot be relied on.
    package func preferred(_ name: ListStore.Name) throws(DirectoryFolder.Failure) -> Preferred? {
        var failures: [DirectoryFolder.Failure] = []
        var preferred: (folder: DirectoryFolder, rank: ListRank)?
        // A list that was verified, and whose keys are gone, must not make room for one that nobody has checked.
        var damaged: DirectoryFolder.Failure?
        for store in all {
            do throws(DirectoryFolder.Failure) {
                let folder = try store.installed(name)
                let isVerified: Bool
                do throws(DirectoryFolder.Failure) {
                    isVerified = name == .gdhcn ? try folder.listKeys() != nil : false
                } catch {
                    damaged = damaged ?? error
                    throw error
                }
                let rank = ListRank(isVerified: isVerified, time: store.time(of: name))
                guard let found = preferred else {
                    preferred = (folder, rank)
                    continue
                }
                if found.rank < rank { preferred = (folder, rank) }
            } catch {
                // The name tells it even if the folder cannot be opened.
                if store.isMarkedVerified(name) { damaged = damaged ?? error }
                failures.append(error)
            }
        }
        if let damaged, preferred?.rank.isVerified != true { throw damaged }
        guard let preferred else {
            // What was installed and cannot be relied on says more than what was not.
            if let failure = failures.first(where: \.isUnsafe) { throw failure }
            guard user != nil || system.mayHave(name), let failure = failures.first else { return nil }
            throw failure
        }
        return Preferred(
            folder: preferred.folder,
            leftOut: failures.filter { $0.isUnsafe || damaged != nil && $0.path == damaged?.path })
    }

    // MARK: Dates

    /// An installed list, and the time that its name states.
    package struct Dated: Sendable {
        /// The list.
        package let name: ListStore.Name
        /// Where it is installed.
        package let store: ListStore
        /// The time.
        package let time: NumericDate
    }

    /// The installed lists that are later than a time. One that others could have written says nothing.
    package func lists(after time: NumericDate) -> [Dated] {
        all.flatMap { store in
            ListStore.Name.allCases.compactMap { name in
                guard let stated = store.statedTime(of: name), time < stated, (try? store.installed(name)) != nil else {
                    return nil
                }
                return Dated(name: name, store: store, time: stated)
            }
        }
    }
}

/// Which of two installations of a list is used: the greater one.
package struct ListRank: Comparable, Sendable {
    /// Whether its proof was verified. The times of one that was and of one that was not mean different things, and are not compared.
    package let isVerified: Bool
    /// When it was made, or else installed; nil if that is not known.
    package let time: NumericDate?

    package init(isVerified: Bool, time: NumericDate?) {
        self.isVerified = isVerified
        self.time = time
    }

    package static func < (one: ListRank, other: ListRank) -> Bool {
        guard one.isVerified == other.isVerified else { return other.isVerified }
        guard let time = other.time else { return false }
        return one.time.map { $0 < time } ?? true
    }
}
