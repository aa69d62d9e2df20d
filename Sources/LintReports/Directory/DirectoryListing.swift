package import CredentialReports
package import Credentials
package import Cryptography
package import Directories
import Encodings
package import HealthCertificates
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

    /// A snapshot of a folder, which is shown.
    package struct Dated: Sendable {
        package let snapshot: SnapshotArchive.Dated
        /// The next snapshot; nil if there is none.
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

    /// The time for which dated snapshots were chosen; nil if none were requested.
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

/// The signers of trust lists, as `directory show` prints them.
package struct SignerRows: Sendable {
    struct Row: Sendable {
        let keyID: String
        let country: String?
        let form: SignerList.Form
        let signer: Signer?
        let domain: String?
        let participant: String?
        let environment: TrustEnvironment?

        /// Domain, participant and environment, as far as the list names them; nil if it names none.
        var purpose: String? {
            let parts = [domain, participant, environment?.rawValue].compactMap(\.self)
            return parts.isEmpty ? nil : parts.joined(separator: ", ")
        }

        var certificate: SignerCertificate? { signer?.description }
        var algorithm: String? { (try? signer?.key.get())?.algorithm.name }
        /// Why the key cannot be used; nil if it can.
        var problem: String? {
            switch signer?.key {
            case nil: "cannot be read"
            case .failure(let error): error.description
            case .success: nil
            }
        }
    }

    let rows: [Row]
    /// Whether lists of signers were given at all.
    let hasLists: Bool

    /// - Parameter wanted: a country, a key ID, or a part of the subject; nil for all signers.
    package init(_ lists: [SignerList], wanted: String?) {
        hasLists = !lists.isEmpty
        rows = lists.flatMap { list in
            list.signerEntries.map { keyID, entry in
                let signer = entry.signer(keyID: keyID, refusing: [])
                return Row(
                    keyID: KeyLabel.text(of: keyID), country: signer?.country ?? entry.listedCountry, form: list.form,
                    signer: signer, domain: entry.scope.domain?.description,
                    participant: entry.participant?.description, environment: entry.environment)
            }
        }.filter { row in
            guard let wanted else { return true }
            // Two letters are only taken for a country, because every subject contains many pairs of letters.
            return KeyLabel.matches(wanted, row.keyID)
                || row.country.map { CountryCode.isSame(UTF8Text($0), UTF8Text(wanted)) == true } ?? false
                || wanted.utf8.count > 2
                    && row.certificate.map { UTF8Text($0.subject).mentions(UTF8Text(wanted)) } ?? false
        }
    }

    package var isEmpty: Bool { rows.isEmpty }

    /// What signers can be searched by, if there are lists of signers. The countries are listed only for somebody who searches for a
    /// country.
    package static func hints(at wanted: String, in lists: [SignerList]) -> [String] {
        guard !lists.isEmpty else { return [] }
        guard wanted.utf8.count <= 3 else {
            return ["signers are looked up by a country of two letters, a key ID or a part of the subject"]
        }
        let countries = Set(SignerRows(lists, wanted: nil).rows.compactMap(\.country)).sorted()
        return ["there are signers of \(countries.prefix(100).map { $0.quoted(upTo: 8) }.joined(separator: ", "))"]
    }

    /// The number of signers whose keys cannot be used.
    package static func unusableCount(in list: SignerList) -> Int {
        list.signerEntries.count { (try? $0.entry.signer(keyID: $0.keyID, refusing: [])?.key.get()) == nil }
    }

    /// What a list contains, in words: signers, signers whose keys cannot be used, and other entries.
    package static func counts(of list: SignerList) -> String {
        let unusable = unusableCount(in: list)
        let signers = list.signerEntries.count
        let usable = signers - unusable
        let others = list.otherCount + list.entries.count - signers
        var words = usable.counted("signer")
        if unusable > 0 { words += ", \(unusable) with an unusable key" }
        if others > 0 { words += ", \(others.counted("entry that is", "entries that are")) not for signers" }
        if list.unreadableCount > 0 {
            words += ", \(list.unreadableCount) unreadable \(list.unreadableCount == 1 ? "entry" : "entries")"
        }
        return words
    }

    /// The titles of the cells. The last one is for what the list says about a signer: domain, participant and environment.
    static let titles = ["Key ID", "Country", "Algorithm", "Valid", "Usages", "Subject", "For"]

    /// One line for each signer, with a cell for each of the titles.
    var cells: [[String]] {
        rows.map { row in
            let certificate = row.certificate
            let usages = row.signer.map { RecordGroup.allCases.filter($0.usages.contains).map(\.name) } ?? []
            let validity = certificate.map { [$0.notBefore, $0.notAfter].map { $0?.calendarText ?? "?" } } ?? []
            return [
                row.keyID, row.country ?? "-", row.algorithm ?? "unusable: \(row.problem ?? "")",
                validity.joined(separator: " to "), (certificate?.usages ?? usages).joined(separator: ","),
                certificate?.subject ?? "", row.purpose ?? "",
            ]
        }
    }
}

/// A list of trusted issuers or signers, as `directory show` prints it: where it comes from, and what is known about its maker.
package struct ListRow: Sendable {
    /// The list as the user named it.
    let source: String
    /// The list; nil for one of issuers of cards.
    var list: AdmittedList?

    package init(source: String, list: AdmittedList? = nil) {
        self.source = source
        self.list = list
    }

    /// What a list of signers contains besides its signers, and whether it proves who made it; nil for a list of issuers.
    package var words: String? {
        guard let list else { return nil }
        var words = list.list.form.words
        if let id = list.list.id { words += " \(id.quoted(upTo: 200))" }
        if let environment = list.list.environment { words += ", environment \(environment.rawValue)" }
        words += ": \(SignerRows.counts(of: list.list))"
        if let proof = list.proof { words += "; \(proof.words)" }
        return words
    }

    /// What is known about the maker of the list; nil for a form that cannot tell.
    var proofStatus: String? {
        switch list?.proof {
        case nil: nil
        case .verified: "verified"
        // If there are keys, lists with other outcomes were refused before.
        case .unchecked, .noKey, .invalid: "unchecked"
        case .uncheckable: "uncheckable"
        case .absent: "absent"
        }
    }
}

extension ListProof.Outcome {
    /// The thumbprint of the key with which the proof was verified; nil if it was not verified.
    var key: String? {
        if case .verified(let list) = self { list.thumbprint.description } else { nil }
    }
}
