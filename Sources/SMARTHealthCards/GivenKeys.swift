public import JOSE

/// Key sets that the verifier was given, to be used instead of what issuers publish.
public struct GivenKeys: Sendable {
    private var forAnyIssuer: [JWKSet] = []
    /// The sets for any issuer as one.
    private var mergedForAny: JWKSet?
    private var byIssuer: [Issuer: [JWKSet]] = [:]
    /// The points whose private half any of the sets publishes, whatever issuer it was given for.
    private(set) var burnt = BurntKeys()

    public init() {}

    /// Takes a key set.
    ///
    /// - Parameters:
    ///   - keySet: the keys.
    ///   - issuer: whose they are; nil if they are good for every issuer.
    public mutating func add(_ keySet: JWKSet, for issuer: Issuer? = nil) {
        burnt.formUnion(keySet.burnt.pointsAlone)
        if let issuer {
            byIssuer[issuer, default: []].append(keySet)
        } else {
            forAnyIssuer.append(keySet)
            mergedForAny = forAnyIssuer.count == 1 ? keySet : JWKSet(merging: forAnyIssuer)
        }
    }

    /// Whether there is no set.
    public var isEmpty: Bool { forAnyIssuer.isEmpty && byIssuer.isEmpty }

    /// The sets that are to be used for an issuer's cards; empty if it is left to the issuer.
    public func sets(for issuer: Issuer) -> [JWKSet] {
        (byIssuer[issuer] ?? []) + forAnyIssuer
    }

    /// The same sets as one; nil if there is none.
    func keySet(for issuer: Issuer) -> JWKSet? {
        guard let own = byIssuer[issuer] else { return mergedForAny }
        return own.count == 1 && forAnyIssuer.isEmpty ? own[0] : JWKSet(merging: own + forAnyIssuer)
    }
}
