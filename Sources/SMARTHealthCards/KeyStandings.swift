import JOSE

/// The standings of keys that were met lately, under one policy and for one moment after the other.
///
/// To import a key costs as much as to verify a signature, and to merge key sets as much as they are long, so neither is
/// done again for every card. Cards choose issuers and key ids, so there is a bound, past which all of it starts anew.
final class KeyStandings {
    private struct Entry {
        let standing: KeyStanding
        /// The evidence by which the standing was last found to hold.
        var revision: Evidence.Revision
    }

    /// A standing that was asked for by a card of this header and issuer.
    private struct Recent {
        /// Held, so that no other header can have come to its identity.
        let header: JOSEHeader
        let issuer: Issuer
        let entry: Entry
    }

    private static let maximumCount = 1024

    private var entries: [KeyName: Entry] = [:]
    /// The same by header, which cards of one key mostly share as an object: to hash a name takes longer than all else here.
    private var recent: [ObjectIdentifier: Recent] = [:]
    private var atHand: [Issuer: KeysAtHand] = [:]
    /// For which moments all of it holds.
    private var span = ValiditySpan()

    /// Forgets what does not hold at a moment. What is asked for and kept after that is of this moment.
    func turn(to now: NumericDate) {
        guard !span.contains(now) else { return }
        entries = entries.filter { $0.value.standing.span.contains(now) }
        atHand = atHand.filter { $0.value.span.contains(now) }
        recent = [:]
        span = ValiditySpan()
        for entry in entries.values { span.formIntersection(entry.standing.span) }
        for keys in atHand.values { span.formIntersection(keys.span) }
    }

    /// The standing of a card's key; nil if it is not known, or no longer holds.
    func standing(of card: UnverifiedCard, with evidence: Evidence) -> KeyStanding? {
        let identity = ObjectIdentifier(card.header)
        if let recent = recent[identity], recent.entry.revision === evidence.revision, recent.issuer == card.issuer {
            return recent.entry.standing
        }
        guard let standing = standing(of: KeyName(card), with: evidence) else { return nil }
        if recent.count >= Self.maximumCount { recent = [:] }
        recent[identity] = Recent(
            header: card.header, issuer: card.issuer,
            entry: Entry(standing: standing, revision: evidence.revision))
        return standing
    }

    /// The key's standing; nil if it is not known, or no longer holds.
    func standing(of name: KeyName, with evidence: Evidence) -> KeyStanding? {
        guard let entry = entries[name] else { return nil }
        if entry.revision === evidence.revision { return entry.standing }
        if let basis = entry.standing.basis, !basis.isSame(in: evidence, for: name.issuer) {
            entries[name] = nil
            return nil
        }
        entries[name] = Entry(standing: entry.standing, revision: evidence.revision)
        return entry.standing
    }

    /// Keeps a standing that was found by this evidence.
    func keep(_ standing: KeyStanding, of name: KeyName, with evidence: Evidence) {
        if entries.count >= Self.maximumCount { entries = [:] }
        span.formIntersection(standing.span)
        entries[name] = Entry(standing: standing, revision: evidence.revision)
    }

    /// The keys at hand of an issuer, which depend on the policy and the moment alone.
    func keysAtHand(of issuer: Issuer, else read: () -> KeysAtHand) -> KeysAtHand {
        if let known = atHand[issuer] { return known }
        let keys = read()
        if atHand.count >= Self.maximumCount { atHand = [:] }
        span.formIntersection(keys.span)
        atHand[issuer] = keys
        return keys
    }
}
