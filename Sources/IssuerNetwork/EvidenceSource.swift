public import SMARTHealthCards

/// Gets what the verifier asks for. Each question is asked once a run; `Evidence` keeps the answers.
public protocol EvidenceSource: Sendable {
    /// The keys that an issuer publishes; `keys-unavailable` where they cannot be had.
    func keys(of issuer: Issuer) async -> Result<Evidence.Keys, VerificationFailure>

    /// A revocation list that an issuer publishes; `revocation-unavailable` where it cannot be had.
    func revocationList(_ name: RevocationListName) async -> Result<RevocationList, VerificationFailure>
}

extension EvidenceSource {
    /// Adds the answer to a request, good or bad, to what is known.
    public func answer(_ request: EvidenceRequest, in evidence: inout Evidence) async {
        switch request {
        case .keys(let issuer): evidence.keys[issuer] = await keys(of: issuer)
        case .revocationList(let name): evidence.lists[name] = await revocationList(name)
        }
    }
}
