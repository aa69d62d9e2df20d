import Credentials
package import HealthCertificates
package import SMARTHealthCards

/// Why the list in a folder cannot be used.
package enum FolderListError: Error, Sendable {
    /// A file cannot be read.
    case unreadable(DirectoryFolder.Failure)
    /// A file, or the folder, has other contents: why, in plain words which call it "it".
    case malformed(path: String, String)
    /// The rules for lists of signers do not take it.
    case refused(path: String, TrustListRefusal)
}

/// The issuers of a folder: a snapshot that a list restricts.
package struct FolderIssuers: Sendable {
    package let source: DirectorySource
    /// The snapshot alone, which also has issuers that were removed from the list.
    package let snapshot: IssuerDirectory
    /// The files that were read.
    package let files: [(part: DirectoryFolder.Part, bytes: [UInt8])]
}

/// The signers of a folder, which are not taken yet.
package struct FolderSigners: Sendable {
    /// The list.
    package let list: SignerList
    /// The list as it was read.
    package let bytes: [UInt8]
    /// The keys that were installed with the list, by which its proof is checked, as they were read; nil if there are none, or if other
    /// keys were given.
    package let keys: (bytes: [UInt8], keys: ListKeys)?
    /// The path of the list.
    fileprivate let path: String

    /// Takes the list, if the rules permit it. Its proof is checked by the keys of the rules, or else by those that were installed with it.
    package func admitted(by rules: TrustListRules) throws(FolderListError) -> AdmittedList {
        var rules = rules
        rules.keys = rules.keys ?? keys?.keys
        do throws(TrustListRefusal) {
            return try rules.admit(list)
        } catch {
            throw .refused(path: path, error)
        }
    }
}

extension DirectoryFolder {
    /// The issuers of the folder. A list and a snapshot in one folder mean something else than the two files alone.
    package func issuers() throws(FolderListError) -> FolderIssuers {
        let list = try issuers(.issuers)
        let snapshot = try issuers(.snapshot)
        do throws(IssuerDirectoryError) {
            return FolderIssuers(
                source: try DirectorySource(list: list.directory, snapshot: snapshot.directory),
                snapshot: snapshot.directory, files: [(.issuers, list.bytes), (.snapshot, snapshot.bytes)])
        } catch {
            throw .malformed(path: path, "\(error)")
        }
    }

    private func issuers(_ part: Part) throws(FolderListError) -> (directory: IssuerDirectory, bytes: [UInt8]) {
        let bytes = try bytes(of: part)
        do throws(IssuerDirectoryError) {
            return (try IssuerDirectory(bytes), bytes)
        } catch {
            throw .malformed(path: path(of: part), "\(error)")
        }
    }

    /// The signers of WHO's list. It is as old as its proof says, if that is verified, or else as its installation.
    ///
    /// - Parameter hasKeys: whether its proof is checked by other keys than those that were installed with it.
    package func signers(hasKeys: Bool) throws(FolderListError) -> FolderSigners {
        let bytes = try bytes(of: .signers)
        let path = path(of: .signers)
        var list = try Self.signerList(bytes, path)
        // A list of unknown age is older than any limit.
        list.retrieved = ListStore.timeOfInstallation(self) ?? NumericDate(sinceEpoch: .zero)
        return FolderSigners(list: list, bytes: bytes, keys: hasKeys ? nil : try installedKeys(), path: path)
    }

    private static func signerList(_ bytes: [UInt8], _ path: String) throws(FolderListError) -> SignerList {
        do {
            return try SignerList(ListFile(bytes, maximumSize: Bounds.directorySize))
        } catch {
            throw .malformed(path: path, "\(error)")
        }
    }

    private func installedKeys() throws(FolderListError) -> (bytes: [UInt8], keys: ListKeys)? {
        do throws(Failure) {
            return try listKeys()
        } catch {
            throw .unreadable(error)
        }
    }

    private func bytes(of part: Part) throws(FolderListError) -> [UInt8] {
        do throws(Failure) {
            return try read(part)
        } catch {
            throw .unreadable(error)
        }
    }
}
