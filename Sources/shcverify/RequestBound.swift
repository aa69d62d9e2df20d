import SMARTHealthCards

/// How many issuers that nobody vouches for are asked in one run. Whoever made the cards names the issuers, and each may
/// keep us waiting.
struct RequestBound {
    /// How many may be asked; nil for any number, where a list says who they are.
    private let limit: Int?
    private var asked = 0

    /// Where only certificates say who is trusted, they come with the keys: so issuers that nobody knows are asked, and
    /// among them may be as many as there are in earnest.
    private static let certifiedIssuers = 1000

    init(limit: Int?) {
        self.limit = limit
    }

    init(for trusted: TrustedIssuers) {
        limit = trusted.isEmpty ? Bounds.unknownIssuers : trusted.hasLists ? nil : Self.certifiedIssuers
    }

    /// Whether a request may be made. Past the bound the answer, which is added to the evidence, is that none was sought.
    mutating func admits(_ request: EvidenceRequest, in evidence: inout Evidence) -> Bool {
        guard let limit, case .keys(let issuer) = request else { return true }
        asked += 1
        guard asked > limit else { return true }
        evidence.keys[issuer] = .failure(
            VerificationFailure(
                .keysUnavailable,
                "\(limit) issuers have been asked for keys already; without a list of trusted issuers no more "
                    + "are asked in one run", isUnasked: true))
        return false
    }
}
