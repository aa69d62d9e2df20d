public import Credentials
public import Cryptography
import Encodings

/// Key sets that the verifier was given. They are used instead of the keys that issuers publish.
///
/// If a policy has no list of trusted issuers, given keys are its statement of trust: only cards that verify with them can pass.
public struct GivenKeys: Sendable {
    /// The keys for cards of any issuer; nil if none were given.
    private(set) var forAnyIssuer: JWKSet?
    private var byIssuer: [Issuer: JWKSet] = [:]
    /// The public keys whose private key is in one of the sets. They are unusable for all issuers and kinds of credential.
    package private(set) var compromised = CompromisedKeys()
    /// Whether a file was given that is for no issuer in particular, even if none of its keys is one of cards.
    private(set) var isForAnyIssuer = false

    /// Creates given keys without a key set.
    public init() {}

    /// Adds a key set. Its entries for signers of EU certificates (`JWK.isOfCertificateSigner`) are no keys of cards.
    ///
    /// - Parameters:
    ///   - keySet: the keys.
    ///   - issuer: the issuer whose keys they are; nil to use them for every issuer. If several issuers are trusted by name, keys
    ///     for every issuer are not used: any owner of such a key could sign as any of the issuers.
    public mutating func add(_ keySet: JWKSet, for issuer: Issuer? = nil) {
        compromised.formUnion(CompromisedKeys(given: keySet.keys).provenAlone)
        let cardKeys = keySet.keys.filter { !$0.isOfCertificateSigner }
        let set = cardKeys.count == keySet.keys.count ? keySet : keySet.limited(to: cardKeys)
        if let issuer {
            byIssuer[issuer, default: JWKSet([JWK]())].append(set)
            return
        }
        isForAnyIssuer = true
        // A file that has only signers says nothing about the keys of cards.
        guard !cardKeys.isEmpty || keySet.keys.isEmpty else { return }
        forAnyIssuer = forAnyIssuer ?? JWKSet([JWK]())
        forAnyIssuer?.append(set)
    }

    /// Notes that keys of signers of EU certificates were given, in a file that cannot have keys of cards.
    package mutating func addSigners() { isForAnyIssuer = true }

    /// Whether keys of cards were given that are for no issuer in particular.
    package var hasCardKeysForAnyIssuer: Bool { forAnyIssuer?.keys.isEmpty == false }

    /// Whether no key set was given.
    public var isEmpty: Bool { !isForAnyIssuer && byIssuer.isEmpty }

    /// The issuers for which keys were given, in no order.
    var issuers: some Collection<Issuer> { byIssuer.keys }

    /// The issuers for which keys with this ID were given, by their URL.
    package func owners(of keyID: KeyID) -> [Issuer] {
        byIssuer.filter { !$0.value.keys(named: keyID).isEmpty }.keys
            .sorted { $0.url.utf8.lexicographicallyPrecedes($1.url.utf8) }
    }

    /// Whether keys were given for an issuer whose URL ends with a slash.
    package var hasIssuersWithSlash: Bool { byIssuer.keys.contains { $0.endsWithSlash } }

    /// The issuer for which keys were given, if it differs from an issuer without given keys only in a slash at its end; nil if there is
    /// none.
    package func slashedIssuer(meantFor issuer: Issuer) -> Issuer? {
        byIssuer[issuer] == nil && byIssuer[issuer.withSlash] != nil ? issuer.withSlash : nil
    }

    /// The keys that were given for one issuer alone; nil if there are none.
    func keys(onlyFor issuer: Issuer) -> JWKSet? { byIssuer[issuer] }

    /// The key sets that may concern an issuer's cards; empty if the keys must come from a directory or from the issuer. If there is one
    /// for this issuer, its cards are verified with that one alone.
    public func sets(for issuer: Issuer) -> [JWKSet] {
        [byIssuer[issuer], forAnyIssuer].compactMap(\.self)
    }
}

extension CardPolicy {
    /// The keys whose private half is published in a given key set or directory. They are unusable for all kinds of credential.
    package var compromisedKeys: CompromisedKeys {
        var compromised = givenKeys.compromised
        compromised.formUnion(trustedIssuers.compromised)
        return compromised
    }

    /// Whether the policy says whom to trust. If it does, no card passes without the check `issuer-trust`.
    var trustRequirement: TrustRequirement {
        requiresTrust || !trustedIssuers.isEmpty || trustedIssuers.refusesUnlisted || trustsGivenKeys
            ? .required : .notAsked
    }

    /// Whether keys were given for an issuer because it is a patient's app, and for nothing else: no list names it as an issuer of cards,
    /// and there is no anchor, by which a certificate could.
    func isAppAlone(_ issuer: Issuer) -> Bool {
        apps.contains { $0.withoutSlash == issuer.withoutSlash } && givenKeys.keys(onlyFor: issuer) != nil
            && trustedIssuers.anchors == nil && trustedIssuers.trust(in: issuer) == nil
    }

    /// The issuers of cards for which keys were given, in no order.
    private var issuersOfGivenKeys: some Collection<Issuer> { givenKeys.issuers.lazy.filter { !isAppAlone($0) } }

    /// Whether given keys are a statement of trust. Those of apps are none.
    package var trustsGivenKeys: Bool { givenKeys.isForAnyIssuer || !issuersOfGivenKeys.isEmpty }

    /// Whether keys were given for every issuer although several issuers are trusted by name, or some by name and others by
    /// certificate. Such keys are not used: any owner of one could sign as any of these issuers.
    package var hasKeysForSeveralIssuers: Bool {
        guard givenKeys.hasCardKeysForAnyIssuer else { return false }
        // An anchor trusts more issuers than those that are named.
        if trustedIssuers.namesSeveral || trustedIssuers.anchors != nil && trustedIssuers.hasLists { return true }
        return trustedIssuers.isEmpty && issuersOfGivenKeys.count > 1
    }

    /// The given keys for an issuer's cards; nil if the keys must come from a directory or from the issuer.
    func keysGiven(for issuer: Issuer) -> JWKSet? {
        guard !isAppAlone(issuer) else { return nil }
        // Keys that were given for this issuer say all: another's must not sign in its name.
        if let own = givenKeys.keys(onlyFor: issuer) { return own }
        if let keys = givenKeys.forAnyIssuer {
            return hasKeysForSeveralIssuers && !mayGuessOwnersOfKeys ? nil : keys
        }
        // Keys that are the only statement of trust refuse all others, even if none of them is a key of cards.
        let isAlone = trustedIssuers.isEmpty && !trustedIssuers.refusesUnlisted
        return isAlone && givenKeys.isForAnyIssuer ? JWKSet([JWK]()) : nil
    }

    /// Whether an issuer is trusted by exactly this name: on a list, or because its keys were given.
    func trustsByName(_ issuer: Issuer) -> Bool {
        trustedIssuers.trust(in: issuer) != nil
            || trustedIssuers.isEmpty && givenKeys.keys(onlyFor: issuer) != nil
    }

    /// A hint about an issuer that is trusted by name, or whose keys were given, and that resembles one that is not trusted;
    /// nil if there is none.
    func nearMiss(of issuer: Issuer) -> String? {
        if let near = trustedIssuers.nearMiss(of: issuer) { return near }
        if isAppAlone(issuer) {
            return
                "its keys were given for a patient's app (--app), and those sign no cards: add --trust \(issuer.url.quoted()) if it "
                + "issues cards too"
        }
        if givenKeys.issuers.contains(issuer) {
            return
                "keys of this issuer were given with --jwks, but beside --trust and --directory they do not make it trusted: add "
                + "--trust \(issuer.url.quoted())"
        }
        var given = IssuerSuggestion()
        for issuer in issuersOfGivenKeys { given.insert(issuer, aliasOf: nil) }
        return given.spelling(of: issuer).map { near in
            "keys were given for the issuer \(near.url.quoted()), which differs only in case or in a trailing slash (URLs are "
                + "compared exactly)"
        }
    }
}

/// The key set that an issuer published, and where it comes from.
package struct IssuerKeys: Sendable {
    /// The keys.
    package let set: JWKSet
    /// Where the keys come from.
    package let origin: KeyOrigin
    /// Whether the keys were fetched during this run, so that there is no use in fetching them again.
    package let isCurrent: Bool
    /// When the keys were retrieved; nil if they were fetched for this run.
    package let retrieved: NumericDate?
    /// The time since the keys stopped being fresh, if they are used only because the issuer cannot be reached; else nil.
    package let staleness: Duration?

    /// Creates the keys of an issuer.
    package init(
        _ set: JWKSet, origin: KeyOrigin, isCurrent: Bool = true, retrieved: NumericDate? = nil,
        staleness: Duration? = nil
    ) {
        self.set = set
        self.origin = origin
        self.isCurrent = isCurrent
        self.retrieved = retrieved
        self.staleness = staleness
    }
}

/// The query for the keys that an issuer publishes (SHC-K1).
package struct IssuerKeysQuery: EvidenceQuery {
    package typealias Answer = IssuerKeys

    /// The issuer.
    package let issuer: Issuer
    /// Whether the keys must be fetched now, because the stored keys do not include the card's key.
    ///
    /// If fetching succeeds, the keys are stored as the answer to the query with `isCurrent` false. If it fails, the failure is
    /// stored as the answer to this query, so that the keys from before remain in use.
    package let isCurrent: Bool

    /// Creates a query.
    package init(issuer: Issuer, isCurrent: Bool = false) {
        self.issuer = issuer
        self.isCurrent = isCurrent
    }
}

extension EvidenceQuery where Self == IssuerKeysQuery {
    /// The query for the keys of an issuer.
    package static func keys(_ issuer: Issuer) -> IssuerKeysQuery { IssuerKeysQuery(issuer: issuer) }

    /// The query for the keys that an issuer publishes now. Evidence contains only failures as answers to it.
    package static func currentKeys(_ issuer: Issuer) -> IssuerKeysQuery {
        IssuerKeysQuery(issuer: issuer, isCurrent: true)
    }
}

extension EvidenceRequest {
    /// The request for the keys of an issuer.
    package static func keys(_ issuer: Issuer) -> EvidenceRequest { EvidenceRequest(.keys(issuer)) }

    /// The request for the keys that an issuer publishes now.
    package static func currentKeys(_ issuer: Issuer) -> EvidenceRequest { EvidenceRequest(.currentKeys(issuer)) }
}

/// Evidence is missing that must be fetched first.
package struct EvidenceNeeded: Error {
    /// The request for the missing evidence.
    package let request: EvidenceRequest

    /// Creates the error from the query without an answer.
    package init(_ query: some EvidenceQuery) { request = EvidenceRequest(query) }
}

/// Why a check stopped.
enum Interruption<Finding: Sendable>: Error {
    /// The card did not pass.
    case failed(Finding)
    /// Evidence must be fetched first.
    case needs(EvidenceNeeded)
}

extension EvidenceAnswers {
    /// The keys that an issuer publishes.
    ///
    /// If the keys come from the cache and do not include the card's key, they are requested again, because the issuer may have
    /// added the key since.
    ///
    /// - Parameters:
    ///   - issuer: the issuer.
    ///   - keyID: the card's key ID; nil to accept any keys.
    /// - Returns: the keys, or why they cannot be fetched.
    /// - Throws: `EvidenceNeeded` if the keys must be fetched first.
    package func publishedKeys(
        of issuer: Issuer, with keyID: KeyID?
    ) throws(EvidenceNeeded) -> Result<IssuerKeys, VerificationFailure> {
        guard let known = self[.keys(issuer)] else { throw EvidenceNeeded(.keys(issuer)) }
        guard let keyID, case .success(let keys) = known, !keys.isCurrent, keys.set.keys(named: keyID).isEmpty else {
            return known
        }
        guard let refused = self[.currentKeys(issuer)] else { throw EvidenceNeeded(.currentKeys(issuer)) }
        return refused
    }
}

/// The keys of an issuer that are known without fetching. They depend only on the policy and the moment.
package struct LocalKeys {
    /// The given keys; nil if there are none.
    package let given: JWKSet?
    /// The keys in directory snapshots that are not outdated; empty if keys were given.
    package let listed: JWKSet
    /// When the oldest of the listed keys were retrieved; nil if that is not known.
    let retrieved: NumericDate?
    /// The snapshots that are too old to rely on.
    let outdated: [IssuerDirectory.Snapshot]
    /// The time range in which all of this remains true.
    let span: ValiditySpan

    /// How far in the future a directory's date of retrieval may be, as a negative age.
    private static let futureTolerance = Duration.seconds(-86_400)

    /// Collects the keys of an issuer. Keys that are known to be compromised are marked as unusable.
    package init(of issuer: Issuer, by policy: CardPolicy) {
        let counterEvidence = policy.counterEvidence
        if let given = policy.keysGiven(for: issuer) {
            self.given = counterEvidence.applied(to: given, of: issuer)
            listed = JWKSet([JWK]())
            retrieved = nil
            outdated = []
            span = ValiditySpan()
            return
        }
        let snapshots = policy.trustedIssuers.snapshots(of: issuer)
        let recent = snapshots.filter { Self.isRecent($0, by: policy) }
        given = nil
        listed = counterEvidence.applied(to: JWKSet(merging: recent.map(\.keySet)), of: issuer)
        retrieved = recent.compactMap(\.retrieved).min()
        outdated = snapshots.filter { !Self.isRecent($0, by: policy) }
        span = Self.span(of: snapshots, by: policy)
    }

    /// Whether a snapshot's keys are recent enough to rely on.
    private static func isRecent(_ snapshot: IssuerDirectory.Snapshot, by policy: CardPolicy) -> Bool {
        guard let limit = policy.maximumDirectoryAge else { return true }
        guard let retrieved = snapshot.retrieved else { return false }
        let age = (policy.listsAreJudgedAt ?? policy.now).sinceEpoch - retrieved.sinceEpoch
        // A date far in the future says nothing about the age of the keys.
        return age <= limit && age > futureTolerance
    }

    /// The time range in which the same snapshots are recent or outdated as now.
    private static func span(of snapshots: [IssuerDirectory.Snapshot], by policy: CardPolicy) -> ValiditySpan {
        var span = ValiditySpan()
        guard let limit = policy.maximumDirectoryAge, policy.listsAreJudgedAt == nil else { return span }
        let turns = snapshots.compactMap(\.retrieved).flatMap { retrieved in
            // Each bound is the last moment before the change, so the change comes just after it.
            [limit, futureTolerance].map { NumericDate(sinceEpoch: retrieved.sinceEpoch + $0 + .nanoseconds(1)) }
        }
        span.narrow(to: turns, around: policy.now)
        return span
    }
}

/// The keys of issuers that are known without fetching, kept under one policy.
///
/// Merging key sets takes time in proportion to their length, and each set that is made anew imports its keys anew, which takes as long
/// as a third of a verification. Cards choose the issuers, so the number that is kept has a bound. What directories list is kept apart,
/// so that made-up issuers, which only take the room of each other, do not remove it.
package final class KeysAtHand {
    static let maximumCount = 1024

    /// The keys of issuers in directories.
    private var listed: [Issuer: LocalKeys] = [:]
    /// The same of other issuers.
    private var others: [Issuer: LocalKeys] = [:]
    /// The time range in which all that is kept remains true.
    private(set) var span = ValiditySpan()

    /// Keeps nothing yet.
    package init() {}

    /// The keys of an issuer under the policy, which is the same in each call but for its moment: if that changes, `turn(to:)` is called
    /// first.
    package func keys(of issuer: Issuer, by policy: CardPolicy) -> LocalKeys {
        if let known = listed[issuer] ?? others[issuer] { return known }
        let keys = LocalKeys(of: issuer, by: policy)
        span.formIntersection(keys.span)
        if keys.listed.keys.isEmpty, keys.outdated.isEmpty {
            Self.keep(keys, of: issuer, in: &others)
        } else {
            Self.keep(keys, of: issuer, in: &listed)
        }
        return keys
    }

    /// Removes what is not true at a moment.
    func turn(to now: NumericDate) {
        guard !span.contains(now) else { return }
        listed = listed.filter { $0.value.span.contains(now) }
        others = others.filter { $0.value.span.contains(now) }
        span = ValiditySpan()
        for keys in listed.values { span.formIntersection(keys.span) }
        for keys in others.values { span.formIntersection(keys.span) }
    }

    private static func keep(_ keys: LocalKeys, of issuer: Issuer, in kept: inout [Issuer: LocalKeys]) {
        if kept.count >= maximumCount, kept[issuer] == nil { kept = [:] }
        kept[issuer] = keys
    }
}
