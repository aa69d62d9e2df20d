public import Credentials
package import Cryptography
public import Encodings
import Inputs
import Synchronization

/// A directory of issuers, in the formats of the Verifiable Clinical Information coalition (VCI): a list of the participating
/// issuers, or a snapshot of their keys and revocation lists (SHC-D1, SHC-D2).
public struct IssuerDirectory: Sendable {
    /// The keys and revocation lists of an issuer, from one entry of a snapshot.
    package struct Snapshot: Sendable {
        private let keys: JSONValue?
        private let lists: JSONValue?
        /// When the issuer's keys were last retrieved; nil if the snapshot does not say.
        package let retrieved: NumericDate?

        /// Reads `{"keys", "crls"?, "lastRetrieved"}`.
        init(_ value: JSONValue) {
            keys = value["keys"]
            lists = value["crls"]
            retrieved = value["lastRetrieved"]?.string.flatMap { NumericDate(text: $0.description) }
        }

        /// Whether there are neither keys nor lists.
        fileprivate var isBare: Bool {
            [keys, lists].allSatisfy { list in list.map { $0.isNull || $0.elements?.count == 0 } ?? true }
        }

        fileprivate var publishedKeys: [JWK] {
            keys?.elements?.filter { $0.kind == .object }.map { JWK($0) } ?? []
        }

        /// The keys whose private key is published. Most entries have none, so other keys are not even parsed.
        var compromisedKeys: CompromisedKeys {
            guard let keys else { return CompromisedKeys([]) }
            if let elements = keys.elements { return Self.compromisedKeys(among: elements) }
            // Some entries may have a single key or a key set instead of an array.
            var published = [keys]
            if let elements = keys["keys"]?.elements { published += elements }
            return Self.compromisedKeys(among: published)
        }

        private static func compromisedKeys(among keys: some Sequence<JSONValue>) -> CompromisedKeys {
            CompromisedKeys(given: keys.filter { JWK.hasPrivatePart($0) }.map { JWK($0) })
        }

        /// The keys. They are parsed only when this is read, since a directory has hundreds of issuers.
        package var keySet: JWKSet { JWKSet(publishedKeys) }

        /// The revocation lists that name their key.
        package var revocationLists: [RevocationList] {
            lists?.elements?.compactMap { try? RevocationList($0) } ?? []
        }

        /// The revocation lists of a key.
        ///
        /// A list that does not name its key may be for any key. It is returned as a list with a defect.
        package func revocationLists(of keyID: KeyID) -> [RevocationList] {
            guard let lists, !lists.isNull else { return [] }
            guard let elements = lists.elements else {
                return [RevocationList(of: keyID, unreadable: lists, "\"crls\" is not an array of lists")]
            }
            return elements.compactMap { element in
                guard let name = element["kid"].flatMap({ KeyID($0) }) else {
                    return RevocationList(of: keyID, unreadable: element, "a list of this issuer does not name its key")
                }
                return name == keyID ? try? RevocationList(element) : nil
            }
        }
    }

    /// The entries, one for each issuer, in the order of the file.
    public private(set) var entries: [DirectoryEntry] = []
    /// The issuers of a collected snapshot whose keys could not be fetched. The snapshot does not vouch for them.
    package private(set) var unreached: [UnreachedIssuer] = []
    private var unreachedIssuers: Set<Issuer> = []
    /// Whether "directory collect" has made the snapshot. Then it is known which issuers were reached.
    package let isCollected: Bool
    /// What a snapshot that "directory collect" has made calls its directory.
    package static let collectedName = "shcverify directory collect"
    /// Whether this is a snapshot, with keys and revocation lists, and not a list of issuers.
    public let isSnapshot: Bool
    /// When the snapshot was taken; nil for a list of issuers, or if the snapshot does not say.
    public let time: NumericDate?
    private var positions: [Issuer: Int] = [:]
    private var snapshots: [Issuer: [Snapshot]] = [:]
    private let ownersByKeyID = OwnersByKeyID()
    /// The public keys whose private key is in the directory.
    private(set) var compromised = CompromisedKeys()

    /// Reads a list of issuers (`vci-issuers.json`) or a snapshot.
    ///
    /// - Throws: `Malformed` if the bytes are neither, could be read as a list of another kind, or are larger than
    ///   `Bounds` allows.
    public init(_ bytes: [UInt8]) throws(Malformed) {
        let document = try PublishedList.parse(bytes, maximumSize: Bounds.directorySize)
        try self.init(document)
    }

    /// Reads a list of issuers or a snapshot from parsed JSON.
    ///
    /// - Throws: `Malformed` if the document is neither, or could be read as a list of another kind.
    package init(_ document: JSONValue) throws(Malformed) {
        let kind = try DocumentKind(of: document, among: DocumentKind.directories)
        guard kind == .issuers else {
            throw Malformed("it is \(kind.words), and not a list or snapshot of issuers of cards")
        }
        let listed = document["participating_issuers"]?.elements
        let infos = document["issuerInfo"]?.elements
        guard let elements = infos ?? listed else {
            let name = document["issuerInfo"] == nil ? "participating_issuers" : "issuerInfo"
            throw Malformed("its \"\(name)\" is not an array")
        }
        guard infos == nil || listed == nil else {
            throw Malformed(
                "it is a list of issuers (\"participating_issuers\") and a snapshot (\"issuerInfo\") at once")
        }
        let isSnapshot = infos != nil
        isCollected = isSnapshot && document["directory"]?.isString(Self.collectedName) == true
        for element in elements {
            let snapshot = isSnapshot ? Snapshot(element) : nil
            // A published private key makes the key unusable for every issuer, even if the entry names no issuer.
            if let snapshot { compromised.formUnion(snapshot.compromisedKeys.provenAlone) }
            guard let entry = (isSnapshot ? element["issuer"] : element).flatMap({ DirectoryEntry($0) }) else {
                continue
            }
            if let snapshot, let problem = element.optional("error"), snapshot.isBare {
                unreached.append(
                    UnreachedIssuer(
                        entry: entry, problem: problem.string?.description ?? "its keys could not be fetched",
                        lacksKeySet: element["lacksKeySet"]?.boolean == true))
                continue
            }
            if let snapshot { snapshots[entry.issuer, default: []].append(snapshot) }
            if let position = positions[entry.issuer] {
                entries[position] = DirectoryEntry(merging: entries[position], entry)
            } else {
                positions[entry.issuer] = entries.count
                entries.append(entry)
            }
        }
        let reached = positions
        unreached.removeAll { reached[$0.entry.issuer] != nil }
        unreachedIssuers = Set(unreached.map(\.entry.issuer))
        self.isSnapshot = isSnapshot
        time = isSnapshot ? document["time"]?.string.flatMap { NumericDate(text: $0.description) } : nil
    }

    /// Whether the keys of an issuer could not be fetched when the snapshot was made.
    func isUnreached(_ issuer: Issuer) -> Bool { unreachedIssuers.contains(issuer) }

    /// The number of keys in the directory.
    public var keyCount: Int { snapshots.values.joined().reduce(0) { $0 + $1.publishedKeys.count } }

    /// The entry of an issuer; nil if the directory does not list the issuer.
    public func entry(for issuer: Issuer) -> DirectoryEntry? {
        positions[issuer].map { entries[$0] }
    }

    /// The issuers that have a key with this ID in the snapshot, in its order.
    func owners(of keyID: KeyID) -> [Issuer] { ownersByKeyID.owners(of: keyID, in: self) }

    /// The issuers that have a key, by its ID. All keys are read when it is first asked for, and copies of a directory share it.
    private final class OwnersByKeyID: Sendable {
        private let owners = Mutex<[KeyID: [Issuer]]?>(nil)

        func owners(of keyID: KeyID, in directory: IssuerDirectory) -> [Issuer] {
            owners.withLock { owners in
                let known = owners ?? Self.collected(in: directory)
                owners = known
                return known[keyID] ?? []
            }
        }

        private static func collected(in directory: IssuerDirectory) -> [KeyID: [Issuer]] {
            var owners: [KeyID: [Issuer]] = [:]
            for entry in directory.entries {
                let snapshots = directory.snapshots(of: entry.issuer)
                for keyID in Set(snapshots.flatMap(\.publishedKeys).compactMap(\.keyID)) {
                    owners[keyID, default: []].append(entry.issuer)
                }
            }
            return owners
        }
    }

    /// The keys and revocation lists of an issuer, one element for each entry that the snapshot has for it.
    package func snapshots(of issuer: Issuer) -> [Snapshot] {
        snapshots[issuer] ?? []
    }
}

/// An issuer of a snapshot whose keys could not be fetched when the snapshot was made.
package struct UnreachedIssuer: Sendable {
    package let entry: DirectoryEntry
    /// Why not, in plain words.
    package let problem: String
    /// Whether its server said that there are none.
    package let lacksKeySet: Bool
}
