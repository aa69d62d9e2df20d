public import SMARTHealthCards

/// Gets what the verifier asks for. Each question is asked once a run; `Evidence` keeps the answers.
public protocol EvidenceSource: Sendable {
    /// The keys that an issuer publishes; `keys-unavailable` where they cannot be had.
    ///
    /// - Parameter current: whether an answer from earlier will not do.
    func keys(of issuer: Issuer, current: Bool) async -> Result<Evidence.Keys, VerificationFailure>

    /// A revocation list that an issuer publishes; `revocation-unavailable` where it cannot be had.
    ///
    /// - Parameter counter: what an answer from earlier has to have reached; nil where none will do.
    func revocationList(
        _ name: RevocationListName, atLeast counter: RevocationCounter?
    ) async -> Result<RevocationList, VerificationFailure>
}

extension EvidenceSource {
    /// Adds the answer to a request, good or bad, to what is known.
    public func answer(_ request: EvidenceRequest, in evidence: inout Evidence) async {
        switch request {
        case .keys(let issuer): evidence.keys[issuer] = await keys(of: issuer, current: false)
        case .currentKeys(let issuer): evidence.keys[issuer] = await keys(of: issuer, current: true)
        case .revocationList(let name, let counter):
            evidence.lists[name] = await revocationList(name, atLeast: counter)
        }
    }
}
