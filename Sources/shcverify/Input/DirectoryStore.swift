import ArgumentParser
import FoundationEssentials
import Glibc
import SMARTHealthCards

/// Where `directory update` installs the trusted-issuer directory: `shcverify/vci` in the XDG data directory.
///
/// The three files are installed as one: they are written into a folder of their own, and `vci`, a symbolic link, is made to
/// lead to it in one step. Whoever reads sees all of the old files or all of the new ones.
enum DirectoryStore {
    /// The name by which `--directory` means the installed directory.
    static let name = "vci"
    /// The list of issuers.
    static let issuersFile = "vci-issuers.json"
    /// The snapshot of their keys and revocation lists.
    static let snapshotFile = "vci_snapshot.json"
    /// The snapshot's signature.
    static let signatureFile = "vci_snapshot.sig"

    /// The data directory; nil where neither `XDG_DATA_HOME` nor `HOME` says where it is.
    private static var parent: String? {
        if let data = EnvironmentVariable.value(of: "XDG_DATA_HOME"), data.hasPrefix("/") { return data + "/shcverify" }
        guard let home = EnvironmentVariable.value(of: "HOME"), home.hasPrefix("/") else { return nil }
        return home + "/.local/share/shcverify"
    }

    /// The installed directory; nil where there is no place for one. The link is followed once, so that all files that are
    /// read are of one installation.
    static var path: String? {
        parent.map { "\($0)/\(installation(in: $0) ?? name)" }
    }

    /// The folder that the link leads to; nil where nothing is installed.
    private static func installation(in parent: String) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "\(parent)/\(name)")
    }

    /// When the installed snapshot was taken; nil where none is installed.
    static var installedTime: NumericDate? {
        guard let path, let bytes = try? InputReader.read("\(path)/\(snapshotFile)", limit: Bounds.directorySize) else {
            return nil
        }
        return (try? IssuerDirectory(bytes))?.time
    }

    /// Installs the files in place of those that are installed.
    static func install(_ files: DirectoryFiles) throws {
        guard let parent else {
            StandardStreams.warn("shcverify: there is no data directory to install into, since HOME is not set")
            throw CommandExit.internalError
        }
        let previous = installation(in: parent)
        let folder = "\(name)-\(UUID().uuidString)"
        do {
            let manager = FileManager.default
            try manager.createDirectory(
                atPath: "\(parent)/\(folder)", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755]
            )
            for (name, bytes) in [
                (issuersFile, files.issuers), (snapshotFile, files.snapshot), (signatureFile, files.signature),
            ] {
                try Data(bytes).write(to: URL(filePath: "\(parent)/\(folder)/\(name)"))
            }
            let link = "\(parent)/\(folder).link"
            try manager.createSymbolicLink(atPath: link, withDestinationPath: folder)
            // Unsafe: the C library reads both paths during the call and keeps neither.
            guard unsafe rename(link, "\(parent)/\(name)") == 0 else {
                try manager.removeItem(atPath: link)
                throw CocoaError(.fileWriteUnknown)
            }
            // The installation before this one stays until the next: somebody may be reading it.
            for old in try manager.contentsOfDirectory(atPath: parent)
            where old.hasPrefix("\(name)-") && old != folder && old != previous {
                try? manager.removeItem(atPath: "\(parent)/\(old)")
            }
        } catch {
            try? FileManager.default.removeItem(atPath: "\(parent)/\(folder)")
            StandardStreams.warn("shcverify: the directory could not be installed in \(parent): \(error)")
            throw CommandExit.internalError
        }
    }
}
