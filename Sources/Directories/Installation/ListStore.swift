package import Credentials
import FoundationEssentials
import Glibc
import Processes
package import SMARTHealthCards

/// A place where lists are installed: directories of issuers, lists of signers, and lists of codes. There is one for each user
/// (`shcverify` in the XDG data directory), and one for the whole machine (`/var/lib/shcverify`).
///
/// The files of a list are installed together: they are written into a new folder, and then a symbolic link, such as `vci`, is
/// pointed at it in one step. So a reader sees either all old files or all new files. The folder's name contains the
/// time of the list. So even an installation with a damaged snapshot cannot be replaced by an older one.
package struct ListStore: Sendable {
    /// The lists that can be installed.
    package enum Name: String, CaseIterable, Sendable {
        /// VCI's directory: its list, its snapshot and the snapshot's signature.
        case vci
        /// WHO's trust list of signers.
        case gdhcn
        /// The lists of codes, together in one file.
        case codes

        /// The lists that say whom to trust.
        package static let directories: [Name] = [.vci, .gdhcn]

        /// The files that are read.
        var parts: [DirectoryFolder.Part] {
            switch self {
            case .vci: [.issuers, .snapshot]
            case .gdhcn: [.signers, .listKeys]
            case .codes: [.codes]
            }
        }
    }

    /// The folder with the installed lists.
    package let parent: String
    /// Whether the lists are for all users of the machine.
    package let isSystem: Bool

    package init(parent: String, isSystem: Bool) {
        self.parent = parent
        self.isSystem = isSystem
    }

    /// An installed list. It decides whom to trust, so files that somebody else may have written are refused. The link is read
    /// once, so that all files come from the same installation.
    package func installed(_ name: Name) throws(DirectoryFolder.Failure) -> DirectoryFolder {
        let folder = try opened(name)
        // Now, while the installation for another place can still be used instead.
        try folder.check(name.parts)
        return folder
    }

    /// The folder of an installed list. Its files are checked when they are read.
    package func opened(_ name: Name) throws(DirectoryFolder.Failure) -> DirectoryFolder {
        try checkPlace()
        let target = installation(of: name) ?? name.rawValue
        return try DirectoryFolder(target.hasPrefix("/") ? target : "\(parent)/\(target)", isGuarded: true)
    }

    /// Checks that nobody else can replace this folder, or the link in it.
    func checkPlace() throws(DirectoryFolder.Failure) {
        if let objection = WriteAccess.objection(toFolderOf: parent) {
            throw DirectoryFolder.Failure(path: parent, reason: objection, isUnsafe: true)
        }
        _ = try DirectoryFolder(parent, isGuarded: true)
    }

    /// The target of the link; nil if there is no link.
    func installation(of name: Name) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "\(parent)/\(name.rawValue)")
    }

    /// Whether the name of the installation says that the proof of the list was verified.
    func isMarkedVerified(_ name: Name) -> Bool {
        installation(of: name).map { DirectoryFolder.isMarkedVerified($0) } ?? false
    }

    /// Whether a list is installed. Whether it can be used is another question (`installed`).
    package func isInstalled(_ name: Name) -> Bool { DirectoryFolder.isFolder("\(parent)/\(name.rawValue)") }

    /// Whether a list is installed here, even if it cannot be read. False only if there is certainly none.
    package func mayHave(_ name: Name) -> Bool {
        var status = stat()
        // Unsafe: the C library reads the path and writes the structure, both of which live for the call.
        return unsafe lstat("\(parent)/\(name.rawValue)", &status) == 0 || ![ENOENT, ENOTDIR].contains(errno)
    }

    /// The time of an installed list: that of its snapshot, or else of its installation. Nil if none is installed, or if that is
    /// not known.
    package func time(of name: Name) -> NumericDate? {
        let named = installation(of: name).flatMap(Self.time(ofFolder:))
        // A directory that was put there by hand has no link.
        guard name == .vci else { return named }
        let bytes = try? installed(.vci).read(.snapshot)
        return Self.later(named, bytes.flatMap { try? IssuerDirectory($0) })
    }

    /// The time that the name of an installed list states; nil if none is installed. No file is read.
    package func statedTime(of name: Name) -> NumericDate? {
        installation(of: name).flatMap { Self.time(ofFolder: $0) }
    }

    /// When a list was installed, according to its folder; nil if that is not known.
    func dayOfInstallation(of name: Name) -> NumericDate? {
        var status = stat()
        // Unsafe: the C library reads the path and writes the structure, both of which live for the call.
        guard unsafe stat("\(parent)/\(name.rawValue)", &status) == 0 else { return nil }
        return NumericDate(sinceEpoch: .seconds(status.st_mtim.tv_sec))
    }

    /// The time of VCI's directory in a folder; nil if that is not known.
    package static func time(of snapshot: IssuerDirectory, in folder: DirectoryFolder) -> NumericDate? {
        later(time(ofFolder: folder.path), snapshot)
    }

    /// The snapshot's own time has fractions of a second. If the files were installed by hand, it is the only one.
    private static func later(_ named: NumericDate?, _ snapshot: IssuerDirectory?) -> NumericDate? {
        [named, snapshot?.time].compactMap(\.self).max()
    }

    /// The time that an installation's name states: that of VCI's snapshot, or when another list was installed. Nil if it states none.
    package static func timeOfInstallation(_ folder: DirectoryFolder) -> NumericDate? { time(ofFolder: folder.path) }

    /// The time that the name of an installation's folder states.
    static func time(ofFolder folder: String) -> NumericDate? {
        // The parts: the list's name, whether its proof was verified, the seconds, and the five parts of a UUID.
        var parts = folder.split(separator: "/").last?.split(separator: "-") ?? []
        if DirectoryFolder.isMarkedVerified(folder) { parts.remove(at: 1) }
        return parts.count == 7 ? Int64(parts[1]).map { NumericDate(sinceEpoch: .seconds($0)) } : nil
    }
}
