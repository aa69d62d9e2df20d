import JOSE
import JSON

/// The check `revocation`: whether the issuer has withdrawn the card (SHC-R1 to R5).
extension VerificationRun {
    mutating func checkRevocation(_ card: UnverifiedCard, _ standing: KeyStanding) throws(Interruption) {
        let versions = standing.listVersions
        let given = standing.givenLists
        guard !versions.isEmpty || !given.isEmpty || !standing.listedLists.isEmpty else {
            return skip(.revocation, "the key has no revocation list")
        }
        var lists = given + standing.listedLists
        let counter = versions.compactMap { RevocationCounter($0) }.max()
        if card.revocationID == nil, lists.isEmpty { lists += try publishedHashes(of: card, atLeast: counter) }
        guard card.revocationID != nil || lists.contains(where: { $0.method == .bundleHash }) else {
            return skip(.revocation, "the card has no identifier (rid) to look up in a revocation list")
        }
        // A list of hashes adds to what is known, and is no answer to the question whether the card's identifier is listed.
        var answers = lists.filter { card.revocationID == nil || $0.method != .bundleHash }
        // Given lists stand in place of what the issuer publishes; a directory's may have fallen behind it.
        let isGiven = given.contains { $0.method != .bundleHash }
        let isComplete = isGiven || !answers.isEmpty && setting.policy.isOffline || ahead(versions, of: answers) == nil
        if card.revocationID != nil, !isComplete {
            let published = try publishedList(of: card, atLeast: counter)
            lists.append(published)
            answers.append(published)
        }
        try judge(card, lists: lists, answers: answers, versions: versions)
    }

    /// The list that the issuer publishes, for a card without an identifier: only one of hashes can name it, and what cannot be
    /// had is not required (SHC-R5).
    private mutating func publishedHashes(
        of card: UnverifiedCard, atLeast counter: RevocationCounter?
    ) throws(Interruption) -> [RevocationList] {
        guard !setting.policy.isOffline else { return [] }
        guard case .success(let list) = try published(by: card, atLeast: counter), list.method == .bundleHash,
            list.keyID == card.header.keyID
        else { return [] }
        warnOfStaleness(list)
        return [list]
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

    private mutating func judge(
        _ card: UnverifiedCard, lists: [RevocationList], answers: [RevocationList], versions: [JSONValue]
    ) throws(Interruption) {
        let usable = lists.filter { $0.defect == nil }
        let ahead = ahead(versions, of: answers)
        if ahead == nil, usable.contains(where: { $0.names(card) }) {
            throw fail(.revocation, .revoked, "the issuer has withdrawn this card: its revocation list names it")
        }
        if let defect = lists.lazy.compactMap(\.defect).first {
            throw fail(
                .revocation, .revocationUnavailable,
                "nothing can be concluded from the revocation list of the key \(quoted(card.header.keyID)): \(defect)")
        }
        let newest = answers.filter { $0.defect == nil }.compactMap(\.counter).max()
        if let ahead {
            throw fail(
                .revocation, .revocationUnavailable,
                "the key says that its revocation list has version \(words(for: ahead)), and the list at hand has "
                    + (newest.map(\.description) ?? "none"))
        }
        pass(.revocation, .notRevoked(newest, lists.lazy.compactMap(\.copy).first))
    }

    /// A version that a key says its list has, where the lists at hand are older, or it cannot be compared; nil where they
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
