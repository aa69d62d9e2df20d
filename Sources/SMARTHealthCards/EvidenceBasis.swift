import JOSE

/// What was known of an issuer's keys when something was concluded from it.
struct EvidenceBasis {
    private let keys: Result<Evidence.Keys, VerificationFailure>?
    private let refusal: VerificationFailure?

    init(_ evidence: Evidence, for issuer: Issuer) {
        keys = evidence.keys[issuer]
        refusal = evidence.refusedRefreshes[issuer]
    }

    /// Whether the same is known still. Key sets are told apart by their identity: two that were read from the same bytes
    /// are two.
    func isSame(in evidence: Evidence, for issuer: Issuer) -> Bool {
        guard refusal == evidence.refusedRefreshes[issuer] else { return false }
        switch (keys, evidence.keys[issuer]) {
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
