public import Credentials
public import JOSE

/// Key sets that the verifier was given. They are used instead of the keys that issuers publish.
public struct GivenKeys: Sendable {
    private var forAnyIssuer: [JWKSet] = []
    /// The sets in `forAnyIssuer`, merged; nil if there are none.
    private var mergedForAny: JWKSet?
    private var byIssuer: [Issuer: [JWKSet]] = [:]
    /// The public keys whose private key is in one of the sets, for any issuer.
    private(set) var burnt = BurntKeys()

    /// Creates given keys without a key set.
    public init() {}

    /// Adds a key set.
    ///
    /// - Parameters:
    ///   - keySet: the keys.
    ///   - issuer: the issuer whose keys they are; nil to use them for every issuer.
    public mutating func add(_ keySet: JWKSet, for issuer: Issuer? = nil) {
        burnt.formUnion(keySet.burnt.pointsAlone)
        if let issuer {
            byIssuer[issuer, default: []].append(keySet)
        } else {
            forAnyIssuer.append(keySet)
            mergedForAny = forAnyIssuer.count == 1 ? keySet : JWKSet(merging: forAnyIssuer)
        }
    }

    /// Whether no key set was given.
    public var isEmpty: Bool { forAnyIssuer.isEmpty && byIssuer.isEmpty }

    /// The key sets to use for an issuer's cards; empty if the keys must come from a directory or from the issuer.
    public func sets(for issuer: Issuer) -> [JWKSet] {
        (byIssuer[issuer] ?? []) + forAnyIssuer
    }

    /// The key sets to use for an issuer's cards, merged; nil if there are none.
    func keySet(for issuer: Issuer) -> JWKSet? {
        guard let own = byIssuer[issuer] else { return mergedForAny }
        return own.count == 1 && forAnyIssuer.isEmpty ? own[0] : JWKSet(merging: own + forAnyIssuer)
    }
}
