public import JOSE
import JSON

/// A directory of issuers, as the Verifiable Clinical Information coalition (VCI) publishes it: a list of those that take
/// part, or a snapshot of the keys and revocation lists that they published (SHC-D1, SHC-D2).
public struct IssuerDirectory: Sendable {
    /// What an issuer had published when the snapshot was taken.
    public struct Snapshot: Sendable {
        let keys: JSONValue?
        let lists: JSONValue?
        /// When the issuer's keys were last retrieved; nil where the snapshot does not say.
        public let retrieved: NumericDate?

        /// The keys. They are read when they are asked for, since a directory has hundreds of issuers.
        public var keySet: JWKSet {
            JWKSet(keys?.elements?.filter { $0.kind == .object }.map { JWK($0) } ?? [])
        }

        /// The revocation lists of a key. An entry that is no list of any key is passed over.
        public func revocationLists(of keyID: KeyID) -> [RevocationList] {
            lists?.elements?.filter { $0["kid"].flatMap { KeyID($0) } == keyID }.compactMap { try? RevocationList($0) }
                ?? []
        }
    }

    /// Every issuer of the directory, in the order of the file.
    public let entries: [DirectoryEntry]
    /// Whether the directory has keys.
    public let isSnapshot: Bool
    /// When the snapshot was taken; nil for a list of issuers, and where the snapshot does not say.
    public let time: NumericDate?
    private let positions: [Issuer: Int]
    private let snapshots: [Issuer: Snapshot]

    /// Reads a `vci-issuers.json` or a snapshot.
    ///
    /// - Throws: `IssuerDirectoryError` where the bytes are neither.
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
        if let listed = document["participating_issuers"]?.elements {
            self.init(entries: listed.compactMap { DirectoryEntry($0) }, snapshots: nil, time: nil)
        } else if let infos = document["issuerInfo"]?.elements {
            var entries: [DirectoryEntry] = []
            var snapshots: [Issuer: Snapshot] = [:]
            for info in infos {
                guard let entry = info["issuer"].flatMap({ DirectoryEntry($0) }) else { continue }
                entries.append(entry)
                // Of an issuer that stands twice the first entry counts.
                guard snapshots[entry.issuer] == nil else { continue }
                snapshots[entry.issuer] = Snapshot(
                    keys: info["keys"], lists: info["crls"],
                    retrieved: info["lastRetrieved"]?.string.flatMap { NumericDate(text: $0.description) })
            }
            self.init(
                entries: entries, snapshots: snapshots,
                time: document["time"]?.string.flatMap { NumericDate(text: $0.description) })
        } else {
            throw IssuerDirectoryError(
                "it is neither a list of issuers (\"participating_issuers\") nor a snapshot (\"issuerInfo\")")
        }
    }

    private init(entries: [DirectoryEntry], snapshots: [Issuer: Snapshot]?, time: NumericDate?) {
        self.entries = entries
        isSnapshot = snapshots != nil
        self.time = time
        self.snapshots = snapshots ?? [:]
        positions = Dictionary(
            entries.enumerated().map { ($0.element.issuer, $0.offset) }, uniquingKeysWith: { first, _ in first })
    }

    /// The directory without the issuers that another does not have.
    ///
    /// VCI signs its snapshot and not its list of issuers; an issuer that is in both was vouched for by the signature.
    public func limited(to other: IssuerDirectory) -> IssuerDirectory {
        IssuerDirectory(
            entries: entries.filter { other.entry(for: $0.issuer) != nil }, snapshots: isSnapshot ? snapshots : nil,
            time: time)
    }

    /// How many keys the directory has.
    public var keyCount: Int { snapshots.values.reduce(0) { $0 + $1.keySet.keys.count } }

    /// What the directory says of an issuer; nil where it does not list it.
    public func entry(for issuer: Issuer) -> DirectoryEntry? {
        positions[issuer].map { entries[$0] }
    }

    /// What an issuer had published; nil where the directory does not have it.
    public func snapshot(of issuer: Issuer) -> Snapshot? {
        snapshots[issuer]
    }
}
