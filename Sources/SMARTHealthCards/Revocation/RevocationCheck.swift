import Credentials
import Cryptography
import Encodings

/// The check `revocation`: whether the issuer has revoked the card (SHC-R1 to SHC-R5).
extension CardChecks {
    private typealias Interruption = SMARTHealthCards.Interruption<CheckResult>

    mutating func revocation(of card: UnverifiedCard, by key: Key) throws(EvidenceNeeded) -> CheckResult {
        do throws(Interruption) {
            return try sought(card, key.keyStatus)
        } catch {
            switch error {
            case .failed(let result): return result
            case .needs(let evidence): throw evidence
            }
        }
    }

    /// Looks the card up in all lists.
    private mutating func sought(_ card: UnverifiedCard, _ keyStatus: KeyStatus) throws(Interruption) -> CheckResult {
        let versions = keyStatus.listVersions
        guard !versions.isEmpty || !keyStatus.lists.all.isEmpty else {
            return .skip(.notApplicable, "the key has no revocation list")
        }
        let lists = keyStatus.lists
        let counter = versions.compactMap { RevocationCounter($0) }.max()
        // A list that names the card counts, however old it is and from any source.
        try refuse(card, by: lists.all)
        var answers = card.revocationID == nil ? lists.answers : lists.answersByIdentifier
        var published: RevocationList?
        /// Why it is not known whether a list could name a card without an identifier; nil if it is known.
        var unknown = lists.all.lazy.compactMap(\.defect).first.map {
            "the revocation list of its key cannot be used: \($0)"
        }
        if card.revocationID == nil, answers.isEmpty, !versions.isEmpty {
            switch try publishedHashes(of: card, atLeast: counter) {
            case .hashes(let list): published = list
            case .identifiers: break
            case .missing(let why): unknown = why
            }
        }
        guard
            card.revocationID != nil || published != nil || lists.all.contains(where: { $0.method == .bundleHash })
        else {
            guard let unknown else {
                return .skip(
                    .notApplicable, "the card has no identifier (rid) to look up in a revocation list")
            }
            let words = "the card has no identifier (rid), and whether a list names it in another way is not known: "
            guard setting.policy.revocationRequirement == .notAsked else {
                throw unavailable(words + unknown, for: card)
            }
            return .skip(
                .notAsked,
                "it was not required, and it is not known whether a list names the card, which has no identifier (rid): "
                    + unknown)
        }
        if card.revocationID != nil, !lists.isComplete(for: versions, isOffline: setting.policy.isOffline) {
            published = try publishedList(of: card, atLeast: counter)
        }
        if let published {
            try refuse(card, by: [published])
            answers.append(published)
        }
        try checkDefects(of: lists, and: published, for: card)
        // A card without an identifier needs no list. Then there may be only lists that cannot show that it is not revoked.
        let needsAnswer = card.revocationID != nil || answers.contains { $0.method == .bundleHash }
        let newest = answers.compactMap(\.counter).max()
        if needsAnswer, let ahead = answers.version(aheadAmong: versions) {
            throw unavailable(
                "the key \(card.header.keyID.quoted()) says that its revocation list has version \(words(for: ahead)), but the "
                    + "available list has \(newest.map { "version \($0)" } ?? "no version")", for: card)
        }
        let copy = answers.lazy.compactMap(\.copy).first
        return .pass(
            .later {
                "not on the issuer's revocation list" + (newest.map { ", version \($0)" } ?? "")
                    + (copy.map { ", from the cache, retrieved \($0.retrieved)" } ?? "")
            })
    }

    /// Fails if one of the lists names the card.
    private func refuse(_ card: UnverifiedCard, by lists: [RevocationList]) throws(Interruption) {
        guard isNamed(card, by: lists) else { return }
        throw .failed(
            .fail(
                VerificationFailure(
                    .revoked, "the issuer has revoked this card: the issuer's revocation list names it"),
                only: .lapse(.revoked), besides: [recordsObjection].compactMap(\.self)))
    }

    /// Whether one of the lists names the card.
    func isNamed(_ card: UnverifiedCard, by lists: [RevocationList]) -> Bool {
        lists.contains { $0.defect == nil && $0.names(card) }
    }

    /// Fails if one of the lists has a defect, because a damaged list may have named the card.
    private func checkDefects(
        of lists: GivenRevocationLists, and published: RevocationList?, for card: UnverifiedCard
    ) throws(Interruption) {
        guard published?.defect != nil || lists.all.contains(where: { $0.defect != nil }) else { return }
        for (lists, whose) in [
            (lists.given, "that was given"), (lists.all, "in a directory"),
            (published.map { [$0] } ?? [], "that the issuer publishes"),
        ] {
            guard let defect = lists.lazy.compactMap(\.defect).first else { continue }
            throw unavailable(
                "the revocation list \(whose) for the key \(card.header.keyID.quoted()) cannot be used: \(defect)",
                for: card)
        }
    }

    /// Fails because a list is missing or not usable. Offline, the message gives the list's URL, so that the user can get it in
    /// another way.
    private func unavailable(_ message: String, for card: UnverifiedCard) -> Interruption {
        let isOffline = setting.policy.isOffline
        let name = RevocationListName(issuer: card.issuer, keyID: card.header.keyID)
        let place = isOffline ? "; the issuer publishes the list at \(name.url.quoted(upTo: 4096))" : ""
        return unavailable(VerificationFailure(.revocationUnavailable, message + place, isUnasked: isOffline))
    }

    /// Fails because a list is missing, so that it is not known whether the card was revoked.
    private func unavailable(_ failure: VerificationFailure) -> Interruption {
        .failed(.fail(failure, only: .unknownRevocation, besides: [recordsObjection].compactMap(\.self)))
    }

    /// What the list is that the issuer publishes, for a card without an identifier.
    private enum PublishedList {
        /// A list of hashes, which can name such a card.
        case hashes(RevocationList)
        /// A list of identifiers, which cannot.
        case identifiers
        /// There is no list that can be used, for this reason.
        case missing(String)
    }

    /// The list that the issuer publishes, for a card without an identifier. Only a list of hashes can name such a card. The
    /// list is required only if the policy asks that revocation is checked (SHC-R5).
    private mutating func publishedHashes(
        of card: UnverifiedCard, atLeast counter: RevocationCounter?
    ) throws(Interruption) -> PublishedList {
        guard !setting.policy.isOffline else { return .missing("without a network nothing is fetched") }
        switch try published(by: card, atLeast: counter) {
        case .failure(let failure): return .missing(failure.message)
        case .success(let list) where list.keyID != card.header.keyID:
            return .missing("the available revocation list is for another key")
        case .success(let list) where list.method == .bundleHash:
            warnOfStaleness(list)
            return .hashes(list)
        case .success(let list):
            return list.defect.map { .missing("the issuer's revocation list cannot be used: \($0)") } ?? .identifiers
        }
    }

    private mutating func publishedList(
        of card: UnverifiedCard, atLeast counter: RevocationCounter?
    ) throws(Interruption) -> RevocationList {
        switch try published(by: card, atLeast: counter) {
        case .failure(let failure): throw unavailable(failure)
        case .success(let list) where list.keyID == card.header.keyID:
            warnOfStaleness(list)
            return list
        case .success:
            throw unavailable(
                VerificationFailure(.revocationUnavailable, "the available revocation list is for another key"))
        }
    }

    /// The answer to the query for the list of the card's key. All cards of the key share one answer.
    ///
    /// - Throws: `Interruption.needs` if there is no answer yet.
    private func published(
        by card: UnverifiedCard, atLeast counter: RevocationCounter?
    ) throws(Interruption) -> Result<RevocationList, VerificationFailure> {
        let name = RevocationListName(issuer: card.issuer, keyID: card.header.keyID)
        guard let known = setting.evidence[.revocationList(name)] else {
            throw .needs(EvidenceNeeded(.revocationList(name, atLeast: counter)))
        }
        return known
    }

    private mutating func warnOfStaleness(_ list: RevocationList) {
        guard let copy = list.copy, let staleness = copy.staleness else { return }
        warnings.add(
            .staleRevocationList,
            "the issuer could not be reached, and its revocation list in the cache, retrieved \(copy.retrieved), is "
                + "\(staleness.inWords) past its freshness: if the card was revoked since, this is not known")
    }

    private func words(for version: JSONValue) -> String {
        switch version.kind {
        case .number: String(decoding: version.rawBytes.prefix(40), as: UTF8.self)
        case .string: (version.string ?? "").quoted(upTo: 40)
        default: "in an unknown form (\(version.kind.rawValue))"
        }
    }
}
