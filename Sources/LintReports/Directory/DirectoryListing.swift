package import CredentialReports
package import Credentials
package import Cryptography
package import Directories
import Encodings
package import SMARTHealthCards

/// What `directory show` lists.
package struct DirectoryListing: Sendable {
    /// An issuer of cards.
    package struct Row: Sendable {
        package let entry: DirectoryEntry
        /// The issuer's keys in the directories; empty if the directories have none.
        package let snapshots: [IssuerDirectory.Snapshot]

        package init(entry: DirectoryEntry, snapshots: [IssuerDirectory.Snapshot]) {
            self.entry = entry
            self.snapshots = snapshots
        }

        package var keys: [JWK] { snapshots.flatMap(\.keySet.keys) }
        /// When the oldest of the keys were retrieved.
        package var retrieved: NumericDate? { snapshots.compactMap(\.retrieved).min() }

        /// Its line in text, with a cell for each of the titles.
        fileprivate var cells: [String] {
            [
                entry.issuer.url, entry.name?.description ?? "", entry.website?.description ?? "",
                entry.canonicalIssuer.map { "alias of \($0)" } ?? "",
                snapshots.isEmpty ? "" : keys.count.counted("key"), retrieved.map { "retrieved \($0)" } ?? "",
            ]
        }
    }

    /// The snapshot of a folder that is shown.
    package struct Dated: Sendable {
        package let snapshot: SnapshotArchive.Dated
        /// The snapshot after it; nil if there is none.
        let next: SnapshotArchive.Dated?

        package init(snapshot: SnapshotArchive.Dated, next: SnapshotArchive.Dated?) {
            self.snapshot = snapshot
            self.next = next
        }

        package var words: String {
            let after = next.map { "; the next one is of \($0.time)" } ?? "; it is the last one"
            return "listed in \(snapshot.path), the snapshot of \(snapshot.time)\(after)"
        }
    }

    /// The time for which dated snapshots were chosen; nil if none were asked for.
    let time: NumericDate?
    /// These snapshots.
    let snapshots: [Dated]
    /// The lists that were read, in the order in which they were given.
    let lists: [ListRow]
    /// The issuers of cards.
    let issuers: [Row]
    /// The signers of certificates.
    let signers: SignerRows

    /// The issuers, and the signers.
    package var blocks: [Block] {
        let titles = ["Issuer", "Name", "Website", "Alias", "Keys", "Retrieved"]
        return [.tabbed(issuers.map(\.cells), titles: titles), .tabbed(signers.cells, titles: SignerRows.titles)]
    }

    package init(at time: NumericDate?, snapshots: [Dated], lists: [ListRow], issuers: [Row], signers: SignerRows) {
        self.time = time
        self.snapshots = snapshots
        self.lists = lists
        self.issuers = issuers
        self.signers = signers
    }
}
