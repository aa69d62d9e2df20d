import Credentials
import Encodings
package import HealthCertificates
package import SMARTHealthCards

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
    package func admitted(by rules: TrustListRules) throws(DirectoryFolder.Failure) -> AdmittedList {
        var rules = rules
        rules.keys = rules.keys ?? keys?.keys
        do throws(TrustListRefusal) {
            return try rules.admit(list)
        } catch {
            throw DirectoryFolder.Failure(.refused(error.reason), path: path, reason: error.message)
        }
    }
}

extension DirectoryFolder {
    /// The issuers of the folder. A list and a snapshot in one folder mean something else than the two files alone.
    package func issuers() throws(DirectoryFolder.Failure) -> FolderIssuers {
        let list = try issuers(.issuers)
        let snapshot = try issuers(.snapshot)
        do throws(Malformed) {
            return FolderIssuers(
                source: try DirectorySource(list: list.directory, snapshot: snapshot.directory),
                snapshot: snapshot.directory, files: [(.issuers, list.bytes), (.snapshot, snapshot.bytes)])
        } catch {
            throw Failure(.malformed, path: path, reason: "\(error)")
        }
    }

    private func issuers(_ part: Part) throws(DirectoryFolder.Failure) -> (directory: IssuerDirectory, bytes: [UInt8]) {
        let bytes = try read(part)
        return (try use(part, failingAs: .malformed) { () throws(Malformed) in try IssuerDirectory(bytes) }, bytes)
    }

    /// The signers of WHO's list. It is as old as its proof says, if that is verified, or else as its installation.
    ///
    /// - Parameter hasKeys: whether its proof is checked by other keys than those that were installed with it.
    package func signers(hasKeys: Bool) throws(DirectoryFolder.Failure) -> FolderSigners {
        let bytes = try read(.signers)
        let path = path(of: .signers)
        var list = try use(.signers, failingAs: .malformed) { () throws(Malformed) in
            try SignerList(ListFile(bytes, maximumSize: Bounds.directorySize))
        }
        // A list of unknown age is older than any limit.
        list.retrieved = ListStore.timeOfInstallation(self) ?? NumericDate(sinceEpoch: .zero)
        return FolderSigners(list: list, bytes: bytes, keys: hasKeys ? nil : try listKeys(), path: path)
    }

}
