import FoundationEssentials

/// Where `directory update` installs the trusted-issuer directory: `shcverify/vci` in the XDG data directory.
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
    static var parent: String? {
        let environment = ProcessInfo.processInfo.environment
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/shcverify" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return home + "/.local/share/shcverify"
    }

    /// The installed directory; nil where there is no place for one.
    static var path: String? { parent.map { "\($0)/\(name)" } }
}
