import Credentials
import Cryptography

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
        let refused = evidence[.currentKeys(issuer)]
        guard Self.failure(refusal) == Self.failure(refused) else { return false }
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

    private static func failure(_ answer: Result<IssuerKeys, VerificationFailure>?) -> VerificationFailure? {
        if case .failure(let failure)? = answer { failure } else { nil }
    }
}
