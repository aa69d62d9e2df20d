package import Credentials
package import Cryptography

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
