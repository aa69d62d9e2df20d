import SMARTHealthCards

/// How many issuers that nobody vouches for are asked in one run. Whoever made the cards names the issuers, and each may
/// keep us waiting.
struct RequestBound {
    /// Whether there is a bound at all: there is none where a list says who may be asked.
    let isBounded: Bool
    private var asked = 0

    init(isBounded: Bool) {
        self.isBounded = isBounded
    }

    /// Whether a request may be made. Past the bound the answer, which is added to the evidence, is that none was sought.
    mutating func admits(_ request: EvidenceRequest, in evidence: inout Evidence) -> Bool {
        guard isBounded, case .keys(let issuer) = request else { return true }
        asked += 1
        guard asked > Bounds.unknownIssuers else { return true }
        evidence.keys[issuer] = .failure(
            VerificationFailure(
                .keysUnavailable,
                "\(Bounds.unknownIssuers) issuers have been asked for keys already; without a list of trusted issuers no more "
                    + "are asked in one run"))
        return false
    }
}
