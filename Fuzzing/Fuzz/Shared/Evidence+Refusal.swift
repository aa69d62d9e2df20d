import SMARTHealthCards

extension Evidence {
    /// Answers a request as where there is no network.
    mutating func refuse(_ request: EvidenceRequest) {
        switch request {
        case .keys(let issuer): keys[issuer] = .failure(VerificationFailure(.keysUnavailable, "there is no network"))
        case .currentKeys(let issuer):
            refusedRefreshes[issuer] = VerificationFailure(.keysUnavailable, "there is no network")
        case .revocationList(let name, _):
            lists[name] = .failure(VerificationFailure(.revocationUnavailable, "there is no network"))
        }
    }
}
