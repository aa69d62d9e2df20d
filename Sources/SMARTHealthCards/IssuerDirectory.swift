public import JOSE
import JSON

/// A directory of issuers, as the Verifiable Clinical Information coalition (VCI) publishes it: a list of those that take
/// part, or a snapshot of the keys and revocation lists that they published (SHC-D1, SHC-D2).
public struct IssuerDirectory: Sendable {
    /// What an entry of a snapshot says that an issuer had published.
    public struct Snapshot: Sendable {
        private let keys: JSONValue?
        private let lists: JSONValue?
        /// When the issuer's keys were last retrieved; nil if the snapshot does not say.
        public let retrieved: NumericDate?

        /// Reads `{"keys", "crls"?, "lastRetrieved"}`.
        init(_ value: JSONValue) {
            keys = value["keys"]
            lists = value["crls"]
            retrieved = value["lastRetrieved"]?.string.flatMap { NumericDate(text: $0.description) }
        }

        fileprivate var publishedKeys: [JWK] {
            keys?.elements?.filter { $0.kind == .object }.map { JWK($0) } ?? []
        }

        /// The keys whose private half is published. Most directories have none, so nothing else is read of the others.
        fileprivate var burntKeys: BurntKeys {
            guard let keys else { return BurntKeys([]) }
            if let elements = keys.elements { return BurntKeys(elements.filter { $0["d"] != nil }.map { JWK($0) }) }
            // A single key or a key set may be there in place of an array.
            var published = [keys]
            if let elements = keys["keys"]?.elements { published += elements }
            return BurntKeys(published.filter { $0["d"] != nil }.map { JWK($0) })
        }

        /// The keys. They are read when they are asked for, since a directory has hundreds of issuers.
        public var keySet: JWKSet { JWKSet(publishedKeys) }

        /// The revocation lists of a key. One that does not say which key it is of may be that of any key, so it is
        /// returned as a list with a defect.
        public func revocationLists(of keyID: KeyID) -> [RevocationList] {
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

    /// Every issuer of the directory, once, in the order of the file.
    public private(set) var entries: [DirectoryEntry] = []
    /// Whether the directory has keys.
    public let isSnapshot: Bool
    /// When the snapshot was taken; nil for a list of issuers, and if the snapshot does not say.
    public let time: NumericDate?
    private var positions: [Issuer: Int] = [:]
    private var snapshots: [Issuer: [Snapshot]] = [:]
    /// The points whose private half the directory publishes.
    private(set) var burnt = BurntKeys()

    /// Reads a `vci-issuers.json` or a snapshot.
    ///
    /// - Throws: `IssuerDirectoryError` if the bytes are neither.
    public init(_ bytes: [UInt8]) throws(IssuerDirectoryError) {
        guard bytes.count <= Bounds.directorySize else {
            throw IssuerDirectoryError("it is larger than \(Bounds.directorySize >> 20) MiB")
        }
        guard !bytes.holdsMoreJSONValues(than: Bounds.listValues) else {
            throw IssuerDirectoryError("it holds more than \(Bounds.listValues) values")
        }
        let document: JSONValue
        do throws(JSONError) {
            document = try JSONDocument.parse(bytes, maximumDepth: Bounds.nesting)
        } catch {
            throw IssuerDirectoryError("it is not acceptable JSON: \(error)")
        }
        let listed = document["participating_issuers"]?.elements
        let infos = document["issuerInfo"]?.elements
        guard let elements = infos ?? listed else {
            throw IssuerDirectoryError(
                "it is neither a list of issuers (\"participating_issuers\") nor a snapshot (\"issuerInfo\")")
        }
        guard infos == nil || listed == nil else {
            throw IssuerDirectoryError(
                "it is a list of issuers (\"participating_issuers\") and a snapshot (\"issuerInfo\") at once")
        }
        let isSnapshot = infos != nil
        for element in elements {
            let snapshot = isSnapshot ? Snapshot(element) : nil
            // A burnt key is burnt for everybody, also if the entry does not say whose it is.
            if let snapshot { burnt.formUnion(snapshot.burntKeys.pointsAlone) }
            guard let entry = (isSnapshot ? element["issuer"] : element).flatMap({ DirectoryEntry($0) }) else {
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
        self.isSnapshot = isSnapshot
        time = isSnapshot ? document["time"]?.string.flatMap { NumericDate(text: $0.description) } : nil
    }

    /// How many keys the directory has.
    public var keyCount: Int { snapshots.values.joined().reduce(0) { $0 + $1.publishedKeys.count } }

    /// What the directory says of an issuer; nil if it does not list it.
    public func entry(for issuer: Issuer) -> DirectoryEntry? {
        positions[issuer].map { entries[$0] }
    }

    /// What an issuer had published, by each entry that the snapshot has of it.
    public func snapshots(of issuer: Issuer) -> [Snapshot] {
        snapshots[issuer] ?? []
    }
}
