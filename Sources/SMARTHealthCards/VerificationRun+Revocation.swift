import JOSE
import JSON

/// The check `revocation`: whether the issuer has withdrawn the card (SHC-R1 to R5).
extension VerificationRun {
    mutating func checkRevocation(_ card: UnverifiedCard, _ standing: KeyStanding) throws(Interruption) {
        let versions = standing.listVersions
        guard !versions.isEmpty || !standing.lists.all.isEmpty else {
            return skip(.revocation, "the key has no revocation list")
        }
        let lists = standing.lists
        let counter = versions.compactMap { RevocationCounter($0) }.max()
        // A list that names the card counts however old it is, and wherever it comes from.
        try refuse(card, by: lists.all)
        var answers = card.revocationID == nil ? lists.answers : lists.answersByIdentifier
        var published: RevocationList?
        if card.revocationID == nil, answers.isEmpty, !versions.isEmpty {
            published = try publishedHashes(of: card, atLeast: counter)
        }
        guard
            card.revocationID != nil || published != nil || lists.all.contains(where: { $0.method == .bundleHash })
        else {
            return skip(.revocation, "the card has no identifier (rid) to look up in a revocation list")
        }
        // Given lists stand in place of what the issuer publishes; a directory's may have fallen behind it.
        let isGiven = lists.given.contains { $0.method != .bundleHash }
        let isComplete = isGiven || !answers.isEmpty && setting.policy.isOffline || ahead(versions, of: answers) == nil
        if card.revocationID != nil, !isComplete {
            published = try publishedList(of: card, atLeast: counter)
        }
        if let published {
            try refuse(card, by: [published])
            answers.append(published)
        }
        try checkDefects(of: lists, and: published, for: card)
        // A card without identifier needs no list, so the lists of those who do not vouch for the issuer may be all there is.
        let needsAnswer = card.revocationID != nil || answers.contains { $0.method == .bundleHash }
        let newest = answers.compactMap(\.counter).max()
        if needsAnswer, let ahead = ahead(versions, of: answers) {
            throw unavailable(
                "the key \(quoted(card.header.keyID)) says that its revocation list has version \(words(for: ahead)), and the "
                    + "list at hand has \(newest.map(\.description) ?? "none")", for: card)
        }
        pass(.revocation, .notRevoked(newest, answers.lazy.compactMap(\.copy).first))
    }

    /// Refuses a card that one of the lists names.
    private mutating func refuse(_ card: UnverifiedCard, by lists: [RevocationList]) throws(Interruption) {
        guard lists.contains(where: { $0.defect == nil && $0.names(card) }) else { return }
        throw fail(.revocation, .revoked, "the issuer has withdrawn this card: its revocation list names it")
    }

    /// Makes sure that something can be concluded from all lists: one that is damaged may have named the card.
    private mutating func checkDefects(
        of lists: GivenRevocationLists, and published: RevocationList?, for card: UnverifiedCard
    ) throws(Interruption) {
        guard published?.defect != nil || lists.all.contains(where: { $0.defect != nil }) else { return }
        for (lists, whose) in [
            (lists.given, "that was given"), (lists.all, "in a directory"),
            (published.map { [$0] } ?? [], "that the issuer publishes"),
        ] {
            guard let defect = lists.lazy.compactMap(\.defect).first else { continue }
            throw unavailable(
                "nothing can be concluded from the revocation list of the key \(quoted(card.header.keyID)) \(whose): \(defect)",
                for: card)
        }
    }

    /// The failure of a list that will not do. Offline it says where the issuer publishes it: it can be got by other means.
    private mutating func unavailable(_ message: String, for card: UnverifiedCard) -> Interruption {
        let isOffline = setting.policy.isOffline
        let name = RevocationListName(issuer: card.issuer, keyID: card.header.keyID)
        let place = isOffline ? "; the issuer publishes the list at \(name.url.quoted(upTo: 4096))" : ""
        return fail(
            .revocation, VerificationFailure(.revocationUnavailable, message + place, isUnasked: isOffline))
    }

    /// The list that the issuer publishes, for a card without an identifier: only one of hashes can name it, and what cannot be
    /// had is not required (SHC-R5).
    private mutating func publishedHashes(
        of card: UnverifiedCard, atLeast counter: RevocationCounter?
    ) throws(Interruption) -> RevocationList? {
        guard !setting.policy.isOffline else { return nil }
        guard case .success(let list) = try published(by: card, atLeast: counter), list.method == .bundleHash,
            list.keyID == card.header.keyID
        else { return nil }
        warnOfStaleness(list)
        return list
    }

    private mutating func publishedList(
        of card: UnverifiedCard, atLeast counter: RevocationCounter?
    ) throws(Interruption) -> RevocationList {
        switch try published(by: card, atLeast: counter) {
        case .failure(let failure): throw fail(.revocation, failure)
        case .success(let list) where list.keyID == card.header.keyID:
            warnOfStaleness(list)
            return list
        case .success:
            throw fail(.revocation, .revocationUnavailable, "the revocation list at hand is that of another key")
        }
    }

    /// What is known of the list of the card's key. All cards of the key ask for the same, since there is one answer for all.
    private func published(
        by card: UnverifiedCard, atLeast counter: RevocationCounter?
    ) throws(Interruption) -> Result<RevocationList, VerificationFailure> {
        let name = RevocationListName(issuer: card.issuer, keyID: card.header.keyID)
        guard let known = setting.evidence.lists[name] else {
            throw .needs(.revocationList(name, atLeast: counter))
        }
        return known
    }

    private mutating func warnOfStaleness(_ list: RevocationList) {
        guard let copy = list.copy, let staleness = copy.staleness else { return }
        warnings.append(
            CardWarning(
                .staleRevocationList,
                "the issuer could not be reached, and its revocation list in the cache, retrieved \(copy.retrieved), is "
                    + "\(Self.words(for: staleness)) past its freshness: that a card was withdrawn since would not be "
                    + "noticed"))
    }

    /// A version that a key says its list has, where the lists at hand are older, or it cannot be compared; nil if they
    /// are as new as every version says.
    private func ahead(_ versions: [JSONValue], of lists: [RevocationList]) -> JSONValue? {
        let newest = lists.filter { $0.defect == nil }.compactMap(\.counter).max()
        return versions.first { version in
            guard let version = RevocationCounter(version), let newest else { return true }
            return newest < version
        }
    }

    private func words(for version: JSONValue) -> String {
        switch version.kind {
        case .number: String(decoding: version.rawBytes.prefix(40), as: UTF8.self)
        case .string: (version.string ?? "").quoted(upTo: 40)
        default: "of no known form (\(version.kind.rawValue))"
        }
    }
}
