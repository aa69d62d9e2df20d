import Credentials
package import Cryptography
import Encodings

/// A cache of the statuses of keys, under one policy. The moment of the verification may change.
///
/// Without the cache, keys would be imported and key sets merged for each card. Importing a key takes as long as verifying a
/// signature, and merging key sets takes time in proportion to their length. Cards choose issuers and key IDs, so the cache has
/// a bound, and is emptied when it is full. What takes long to make again is kept apart, so that cards with made-up names, which only
/// take the room of each other, do not remove it.
final class KeyStatusCache {
    private struct Entry {
        let keyStatus: KeyStatus
        /// The revision of the evidence for which the status was last found to be true.
        var revision: EvidenceAnswers.Revision
    }

    /// The status for a header object and an issuer.
    private struct Recent {
        /// Retained, so that no new header object can get the same identity.
        let header: JOSEHeader
        let issuer: Issuer
        let entry: Entry
    }

    static let maximumCount = 1024

    /// The statuses of keys with revocation lists in directories, which have such keys and so bound their number.
    private var listed: [KeyName: Entry] = [:]
    /// All other statuses.
    private var entries: [KeyName: Entry] = [:]
    /// The statuses by header object, which cards of one key mostly share. Hashing a key's name would take longer than
    /// everything else here.
    private var recent: [ObjectIdentifier: Recent] = [:]
    private(set) var atHand = KeysAtHand()
    /// The time range in which all entries remain true.
    private var span = ValiditySpan()

    /// Removes the entries that are not true at a moment. Lookups and new entries after this call are for this moment.
    func turn(to now: NumericDate) {
        atHand.turn(to: now)
        guard !span.contains(now) else { return }
        listed = listed.filter { $0.value.keyStatus.span.contains(now) }
        entries = entries.filter { $0.value.keyStatus.span.contains(now) }
        recent = [:]
        span = ValiditySpan()
        for entry in listed.values { span.formIntersection(entry.keyStatus.span) }
        for entry in entries.values { span.formIntersection(entry.keyStatus.span) }
    }

    /// Forgets everything.
    func removeAll() {
        (listed, entries, recent) = ([:], [:], [:])
        atHand = KeysAtHand()
        span = ValiditySpan()
    }

    /// The status of a card's key; nil if it is not known, or has expired.
    func keyStatus(of card: UnverifiedCard, with evidence: EvidenceAnswers) -> KeyStatus? {
        let identity = ObjectIdentifier(card.header)
        if let recent = recent[identity], recent.entry.revision === evidence.revision, recent.issuer == card.issuer {
            return recent.entry.keyStatus
        }
        guard let keyStatus = keyStatus(of: KeyName(card), with: evidence) else { return nil }
        if recent.count >= Self.maximumCount { recent = [:] }
        recent[identity] = Recent(
            header: card.header, issuer: card.issuer,
            entry: Entry(keyStatus: keyStatus, revision: evidence.revision))
        return keyStatus
    }

    /// The status of a key; nil if it is not known, or has expired.
    func keyStatus(of name: KeyName, with evidence: EvidenceAnswers) -> KeyStatus? {
        guard let entry = listed[name] ?? entries[name] else { return nil }
        if entry.revision === evidence.revision { return entry.keyStatus }
        if let basis = entry.keyStatus.basis, !basis.isSame(in: evidence, for: name.issuer) {
            listed[name] = nil
            entries[name] = nil
            return nil
        }
        keep(entry.keyStatus, of: name, with: evidence)
        return entry.keyStatus
    }

    /// Stores a status that was found with this evidence.
    func keep(_ keyStatus: KeyStatus, of name: KeyName, with evidence: EvidenceAnswers) {
        span.formIntersection(keyStatus.span)
        let entry = Entry(keyStatus: keyStatus, revision: evidence.revision)
        if keyStatus.lists.hasListed {
            Self.keep(entry, of: name, in: &listed)
        } else {
            Self.keep(entry, of: name, in: &entries)
        }
    }

    private static func keep<Key: Hashable, Value>(_ value: Value, of key: Key, in values: inout [Key: Value]) {
        if values.count >= maximumCount, values[key] == nil { values = [:] }
        values[key] = value
    }
}

/// The evidence about an issuer's keys from which a status was concluded.
struct EvidenceBasis {
    private let keys: Result<IssuerKeys, VerificationFailure>?
    private let refusal: Result<IssuerKeys, VerificationFailure>?

    init(_ evidence: EvidenceAnswers, for issuer: Issuer) {
        keys = evidence[.keys(issuer)]
        refusal = evidence[.currentKeys(issuer)]
    }

    /// Whether the evidence is still the same. Key sets are compared by identity, so two sets that were read from the same bytes
    /// are different.
    func isSame(in evidence: EvidenceAnswers, for issuer: Issuer) -> Bool {
        guard refusal?.failure == evidence[.currentKeys(issuer)]?.failure else { return false }
        switch (keys, evidence[.keys(issuer)]) {
        case (nil, nil): return true
        case (.failure(let left), .failure(let right)): return left == right
        case (.success(let left), .success(let right)):
            return left.set.identity === right.set.identity && left.origin == right.origin
                && left.isCurrent == right.isCurrent && left.retrieved == right.retrieved
                && left.staleness == right.staleness
        default: return false
        }
    }
}

/// The results for a key that are the same for all its cards: whether the issuer is trusted, the public keys with the key ID,
/// and the given revocation lists.
final class KeyStatus: Sendable {
    /// The result of the checks `issuer-trust` and `key`.
    enum Outcome: Sendable {
        /// The issuer is acceptable, and these keys have the key ID.
        case found(Candidates)
        /// This key set has no key with the key ID. A hint about another key needs the card, so the message is made later.
        case absent(JWKSet)
        /// A check did not pass, as the notes say.
        case failed
    }

    /// The keys that may have made a signature.
    struct Candidates: Sendable {
        /// The keys.
        let keys: [P256PublicKey]
        /// Why keys with the key ID were left out, in words that follow "but"; nil if these are all.
        let omission: String?
    }

    /// The result of the checks.
    let outcome: Outcome
    /// The checks, for the verdict and its reports.
    let notes: KeyNotes
    /// The `crlVersion` of each entry with the key ID, from all sources.
    let listVersions: [JSONValue]
    /// The revocation lists of the key that the verifier was given.
    let lists: GivenRevocationLists
    /// The evidence about the issuer's keys that was used; nil if none was used. If this evidence changes, the status must be
    /// looked for again.
    let basis: EvidenceBasis?
    /// The time range in which the status remains true. It ends when a certificate expires or a directory becomes too old.
    let span: ValiditySpan

    init(
        _ notes: KeyNotes, _ outcome: Outcome, published: [JWK], of name: KeyName, policy: CardPolicy,
        basis: EvidenceBasis?, span: ValiditySpan
    ) {
        self.notes = notes
        self.outcome = outcome
        self.basis = basis
        self.span = span
        guard case .found = outcome else {
            (listVersions, lists) = ([], GivenRevocationLists())
            return
        }
        // If any source says that the key has a revocation list, the key has one.
        let counterEvidence = policy.counterEvidence
        listVersions = counterEvidence.listVersions(of: name.keyID, issuer: name.issuer, published: published)
        lists = counterEvidence.revocationLists(of: name.keyID, issuer: name.issuer)
    }
}

/// The key that a card names: its issuer and its key ID.
///
/// A key ID alone is not enough, because real issuers use the same key IDs.
struct KeyName: Hashable {
    let issuer: Issuer
    let keyID: KeyID
}

extension KeyName {
    init(_ card: UnverifiedCard) { self.init(issuer: card.issuer, keyID: card.header.keyID) }
}

/// A cache of values that were parsed from short texts, by the bytes of the text.
///
/// The cache is emptied when it is full, so that nobody can fill the memory with cards that all differ.
struct ByteCache<Value> {
    private struct Entry {
        let bytes: [UInt8]
        let value: Value
    }

    /// The largest number of entries.
    static var maximumCount: Int { 1024 }
    /// The largest length of a text, in bytes. Longer texts are not cached.
    static var maximumLength: Int { 512 }

    /// The entries by the hash of their bytes. If two texts have the same hash, the later one replaces the other. An attacker
    /// who constructs such texts only makes some texts be parsed again.
    private var entries: [Int: Entry] = [:]

    /// The value for a text; nil if it is not in the cache.
    func value(for bytes: ArraySlice<UInt8>) -> Value? {
        guard bytes.count <= Self.maximumLength, let entry = entries[Self.hash(bytes)],
            entry.bytes.span.hasSameBytes(as: bytes.span)
        else { return nil }
        return entry.value
    }

    /// Stores the value for a text.
    mutating func keep(_ value: Value, for bytes: ArraySlice<UInt8>) {
        guard bytes.count <= Self.maximumLength else { return }
        if entries.count >= Self.maximumCount { entries.removeAll(keepingCapacity: true) }
        entries[Self.hash(bytes)] = Entry(bytes: Array(bytes), value: value)
    }

    private static func hash(_ bytes: ArraySlice<UInt8>) -> Int { bytes.span.quickHash }
}

/// Parts of cards that are often the same, with what was parsed from them: headers, issuers' URLs and arrays of types.
///
/// Only valid parts are stored, and a stored part is used only for exactly the same bytes.
final class ParseCache {
    /// The headers that were parsed from base64url texts.
    var headers = ByteCache<JOSEHeader>()
    /// The issuers with valid URLs.
    var issuers = ByteCache<Issuer>()
    /// The types in arrays with a JSON text. They include the health card type, and no unknown one.
    var types = ByteCache<[UTF8Text]>()
}

/// The results for a card's key that are known before the card's own checks.
struct PreverifiedSignature {
    /// The results of the checks of the key that the card names.
    let keyStatus: KeyStatus
    /// The claim that the key made the card's signature, with its answer; nil if there is no claim.
    let claim: SignatureClaim?
}

extension VerificationSetting {
    /// The status of a card's key; nil if it is not known yet, or if the card's form is wrong.
    func knownStanding(of examined: ExaminedCard) -> KeyStatus? {
        guard case .success(let card) = examined.card else { return nil }
        return statuses?.keyStatus(of: card, with: evidence)
    }
}

extension KeyStatus {
    /// The claim that the first key made a card's signature; nil if there is no key, or if the signature is malformed.
    func claim(of examined: ExaminedCard) -> SignatureClaim? {
        guard case .found(let candidates) = outcome, let key = candidates.keys.first,
            case .success(let card) = examined.card,
            let signature = try? ES256Signature(card.jws.signature)
        else { return nil }
        return SignatureClaim(signature: signature, key: key, message: card.jws.signingInput)
    }
}

/// Tables that make it faster to confirm signatures, for keys that many cards use. The threads of one run share them.
package struct Precomputation: Sendable {
    private let tables = KeyTables()
    private let lanes: SignatureLanes?

    /// Creates empty tables.
    ///
    /// - Parameter lanes: the library that verifies eight signatures at once; nil if there is none. Tables are used for what is left
    ///   over.
    package init(lanes: SignatureLanes? = nil) { self.lanes = lanes }

    /// Whether signatures that were confirmed may be false: the library was found to be wrong after it had confirmed some.
    ///
    /// - Parameter isContinued: whether there was an earlier run, in which it may have confirmed signatures too.
    package func isInDoubt(isContinued: Bool = false) -> Bool { lanes?.isInDoubt(isContinued: isContinued) ?? false }

    /// Makes what confirms signatures on one thread; nil if libcrypto lacks the needed functions. Then EVP verifies all.
    package func confirmer() -> (any SignatureConfirmer)? {
        let tables = TableConfirmer(tables: tables)
        guard let lanes, let confirmer = LaneConfirmer(lanes, rest: tables) else { return tables }
        return confirmer
    }
}
