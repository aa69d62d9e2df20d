package import Credentials
package import Cryptography
package import Encodings

/// Evidence against keys and cards in everything that the verifier was given: published private keys, and revocation lists.
///
/// It counts from every source. Even a source that is no reason to trust an issuer can show that a key has leaked or that a card
/// was revoked. `TrustedIssuers` decides which issuers to trust.
package struct Revocations: Sendable {
    private let keys: GivenKeys
    private let directories: TrustedIssuers
    private let lists: [RevocationList]
    private let compromisedElsewhere: CompromisedKeys

    /// Collects the evidence.
    ///
    /// - Parameters:
    ///   - keys: the given key sets.
    ///   - directories: the given directories.
    ///   - lists: the revocation lists that were given separately.
    ///   - compromisedElsewhere: the keys whose private half is published in what was given for other kinds of credential.
    package init(
        keys: GivenKeys, directories: TrustedIssuers, lists: [RevocationList], compromisedElsewhere: CompromisedKeys
    ) {
        self.compromisedElsewhere = compromisedElsewhere
        self.keys = keys
        self.directories = directories
        self.lists = lists
    }

    /// Marks the keys of a key set as unusable if their private key is published.
    ///
    /// - Parameters:
    ///   - keySet: the key set, from any source.
    ///   - issuer: the issuer of the keys; nil if it is unknown.
    package func applied(to keySet: JWKSet, of issuer: Issuer?) -> JWKSet {
        // An entry with `d` but without a valid point makes its key ID unusable, but only for the same issuer.
        // It is collected once: a snapshot may list an issuer many times.
        var own = CompromisedKeys()
        if let issuer {
            for set in keys.sets(for: issuer) { own.formUnion(set.compromised) }
            for snapshot in directories.snapshots(of: issuer) + directories.otherSnapshots(of: issuer) {
                own.formUnion(snapshot.compromisedKeys)
            }
        }
        return keySet.refusing([keys.compromised, directories.compromised, compromisedElsewhere, own])
    }

    /// All values of `crlVersion` for a key: from the issuer's entries and from all given sources.
    ///
    /// - Parameters:
    ///   - keyID: the key's ID.
    ///   - issuer: the issuer.
    ///   - published: the entries that the issuer publishes for the key.
    package func listVersions(of keyID: KeyID, issuer: Issuer, published: [JWK]) -> [JSONValue] {
        let snapshots = directories.snapshots(of: issuer) + directories.otherSnapshots(of: issuer)
        let given = (keys.sets(for: issuer) + snapshots.map(\.keySet)).flatMap { $0.keys(named: keyID) }
        return (published + given).compactMap { $0.value.optional("crlVersion") }
    }

    /// The given revocation lists of a key.
    package func revocationLists(of keyID: KeyID, issuer: Issuer) -> GivenRevocationLists {
        let of = { (snapshots: [IssuerDirectory.Snapshot]) in snapshots.flatMap { $0.revocationLists(of: keyID) } }
        return GivenRevocationLists(
            given: lists.filter { $0.keyID == keyID }, listed: of(directories.snapshots(of: issuer)),
            others: of(directories.otherSnapshots(of: issuer)))
    }
}

/// The revocation lists of one key that the verifier was given.
package struct GivenRevocationLists: Sendable {
    /// The lists that were given separately, not in a directory.
    package let given: [RevocationList]
    /// All lists. Each can revoke a card. If one has a defect, it is undetermined whether a card is revoked.
    package let all: [RevocationList]
    /// The lists that can show that a card is not revoked: those given separately, and those in directories that vouch for the
    /// issuer.
    package let answers: [RevocationList]
    /// Whether some of the lists are in directories. Their indexes are made again whenever they are asked for.
    let hasListed: Bool
    /// The lists in `answers` that contain identifiers. A list of hashes cannot show that an identifier is not revoked.
    let answersByIdentifier: [RevocationList]

    init(given: [RevocationList] = [], listed: [RevocationList] = [], others: [RevocationList] = []) {
        self.given = given
        hasListed = !listed.isEmpty || !others.isEmpty
        answers = given + listed
        answersByIdentifier = answers.filter { $0.method != .bundleHash }
        all = answers + others
    }

    /// Whether these lists suffice for every card with an identifier, so that the list that the issuer publishes is not needed.
    ///
    /// - Parameters:
    ///   - versions: all values of `crlVersion` for the key.
    ///   - isOffline: whether nothing can be fetched.
    package func isComplete(for versions: [JSONValue], isOffline: Bool) -> Bool {
        // Lists that were given separately replace the issuer's. Lists in a directory may be out of date.
        given.contains { $0.method != .bundleHash } || !answersByIdentifier.isEmpty && isOffline
            || answersByIdentifier.version(aheadAmong: versions) == nil
    }
}

extension [RevocationList] {
    /// The first of these versions that is newer than all lists, or that cannot be compared; nil if there is none.
    ///
    /// - Parameter versions: values of `crlVersion`.
    func version(aheadAmong versions: [JSONValue]) -> JSONValue? {
        let newest = lazy.filter { $0.defect == nil }.compactMap(\.counter).max()
        return versions.first { version in
            guard let version = RevocationCounter(version), let newest else { return true }
            return newest < version
        }
    }
}

extension CardPolicy {
    /// The evidence against keys and cards in everything that was given with the policy.
    package var counterEvidence: Revocations {
        Revocations(
            keys: givenKeys, directories: trustedIssuers, lists: givenLists, compromisedElsewhere: compromisedElsewhere)
    }
}

/// A card revocation list: the cards of one key that the issuer has revoked (SHC "Revocation").
package struct RevocationList: Sendable {
    /// The ID of the key that signed the listed cards (`kid`).
    package let keyID: KeyID
    /// The list's version (`ctr`), which grows with every change; nil if it has none.
    package let counter: RevocationCounter?
    /// Why the list cannot be used, in words about "it"; nil if it can be used.
    package let defect: String?
    /// The age of the list if it comes from the cache; nil if it was given, or fetched for this run.
    package var copy: Copy?
    /// An object that lives as long as the list, for example its share of the memory for lists.
    package var companion: (any AnyObject & Sendable)?
    /// The kind of the list's identifiers; nil if it is unknown.
    let method: Method?
    private let index: RevocationIndex
    /// The list as it was published.
    package let json: JSONValue

    /// The age of a list in the cache.
    package struct Copy: Sendable {
        /// When the list was retrieved from the issuer.
        package let retrieved: NumericDate
        /// The time since the list stopped being fresh, if it is used only because the issuer cannot be reached; else nil.
        package let staleness: Duration?

        /// Creates the age of a list.
        package init(retrieved: NumericDate, staleness: Duration? = nil) {
            self.retrieved = retrieved
            self.staleness = staleness
        }
    }

    /// The kinds of identifiers in lists (`method`).
    enum Method: String {
        /// The card's `rid` (SHC-R1).
        case identifier = "rid"
        /// A hash of the card's Bundle, for older cards that have no `rid` (RFC 002 of the framework, a draft).
        case bundleHash = "hash-fhir"
    }

    /// Reads a list.
    ///
    /// A list with an error is still read if it names its key. Its `defect` then says what is wrong, and cards of that key that
    /// need the list do not verify.
    ///
    /// - Throws: `Malformed` if the bytes are not a revocation list.
    package init(_ bytes: [UInt8]) throws(Malformed) {
        let value = try PublishedList.parse(bytes, maximumSize: Bounds.revocationListSize)
        try self.init(value)
    }

    /// Reads a list that is part of another JSON document.
    ///
    /// - Throws: `Malformed` if the value is not a revocation list.
    package init(_ value: JSONValue) throws(Malformed) {
        guard value.kind == .object else { throw Malformed("it is not a JSON object") }
        guard let keyID = value["kid"]?.string, !keyID.isEmpty else {
            throw Malformed("it has no \"kid\", so it is not a card revocation list")
        }
        self.keyID = KeyID(keyID.description)
        json = value
        counter = value["ctr"].flatMap { RevocationCounter($0) }
        method = value["method"]?.string.flatMap { Method(rawValue: $0.description) }
        index = RevocationIndex(value["rids"])
        defect = Self.defect(
            in: value, hasMethod: method != nil, hasCounter: counter != nil, firstMalformed: index.firstMalformed)
    }

    /// A list that cannot be read, but may be the list of this key.
    init(of keyID: KeyID, unreadable value: JSONValue, _ defect: String) {
        self.keyID = keyID
        self.defect = defect
        json = value
        counter = nil
        method = nil
        index = RevocationIndex(nil)
    }

    private static func defect(
        in value: JSONValue, hasMethod: Bool, hasCounter: Bool, firstMalformed: Int?
    ) -> String? {
        guard hasMethod else {
            let method = value.optional("method").map { $0.string?.quoted(upTo: 40) ?? "not a string" } ?? "missing"
            return "its \"method\" must be \"rid\" or \"hash-fhir\", but is \(method)"
        }
        if value.optional("ctr") != nil, !hasCounter { return "its \"ctr\" is not a whole number" }
        guard value["rids"]?.elements != nil else { return "its \"rids\" is not an array" }
        return firstMalformed.map { "entry \($0) of its \"rids\" does not have the form rid or rid.timestamp" }
    }

    /// Whether the list revokes a card, looked up in the way that the list's method says.
    package func names(_ card: UnverifiedCard) -> Bool {
        switch method {
        case .identifier: card.revocationID.map { lists($0, issued: card.issued) } ?? false
        case .bundleHash: lists(card.bundleHash, issued: card.issued)
        case nil: false
        }
    }

    /// Whether the list revokes a card (SHC-R3): it contains the card's identifier without a timestamp, or with a timestamp
    /// that is later than the card's date of issue.
    ///
    /// - Parameters:
    ///   - revocationID: the card's `rid`.
    ///   - issued: the card's `nbf`.
    package func lists(_ revocationID: UTF8Text, issued: NumericDate) -> Bool {
        guard let end = index.revokedBefore(Array(revocationID.utf8)) else { return false }
        return end == .max || issued < NumericDate(sinceEpoch: .seconds(end))
    }
}

/// The name of a revocation list: its issuer and the key ID.
package struct RevocationListName: Hashable, Sendable {
    /// The issuer of the list.
    package let issuer: Issuer
    /// The ID of the key that signed the listed cards.
    package let keyID: KeyID

    /// Creates a name.
    package init(issuer: Issuer, keyID: KeyID) {
        self.issuer = issuer
        self.keyID = keyID
    }

    /// The URL at which the issuer publishes the list (SHC-R2).
    ///
    /// Characters of the key ID that are not in the base64url alphabet are percent-encoded, so that a key ID cannot lead to
    /// another path.
    package var url: String {
        let name = PercentEncoding.encode(keyID.bytes, keeping: RevocationID.isInAlphabet)
        return issuer.wellKnownURL("crl/\(name).json")
    }
}

/// The query for a revocation list that an issuer publishes (SHC-R2).
package struct RevocationListQuery: EvidenceQuery {
    package typealias Answer = RevocationList

    /// The name of the list.
    package let name: RevocationListName
    /// The version that the list must have at least, as the key's `crlVersion` says; nil if any version will do.
    package let counter: RevocationCounter?

    /// Creates a query.
    package init(_ name: RevocationListName, atLeast counter: RevocationCounter? = nil) {
        self.name = name
        self.counter = counter
    }

    package var kept: RevocationListQuery { RevocationListQuery(name) }

    /// The query for the version that the issuer's keys ask for.
    package func renewed(by keys: IssuerKeys) -> RevocationListQuery {
        let versions = keys.set.keys(named: name.keyID).compactMap { $0.value.optional("crlVersion") }
        return RevocationListQuery(name, atLeast: versions.compactMap { RevocationCounter($0) }.max())
    }
}

extension EvidenceQuery where Self == RevocationListQuery {
    /// The query for a revocation list that an issuer publishes.
    package static func revocationList(
        _ name: RevocationListName, atLeast counter: RevocationCounter? = nil
    ) -> RevocationListQuery {
        RevocationListQuery(name, atLeast: counter)
    }
}

extension EvidenceRequest {
    /// The request for a revocation list that an issuer publishes.
    package static func revocationList(
        _ name: RevocationListName, atLeast counter: RevocationCounter? = nil
    ) -> EvidenceRequest {
        EvidenceRequest(.revocationList(name, atLeast: counter))
    }
}
