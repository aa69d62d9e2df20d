public import SMARTHealthCards

/// Gets what the verifier asks for. Each question is asked once a run; `Evidence` keeps the answers.
///
/// What is wrong with an issuer is an answer. An `InstallationFault` is none: nothing can be fetched, and the run ends.
public protocol EvidenceSource: Sendable {
    /// The keys that an issuer publishes; `keys-unavailable` where they cannot be had.
    ///
    /// - Parameter current: whether an answer from earlier will not do.
    func keys(
        of issuer: Issuer, current: Bool
    ) async throws(InstallationFault) -> Result<Evidence.Keys, VerificationFailure>

    /// A revocation list that an issuer publishes; `revocation-unavailable` where it cannot be had.
    ///
    /// - Parameter counter: what an answer from earlier has to have reached; nil where none will do.
    func revocationList(
        _ name: RevocationListName, atLeast counter: RevocationCounter?
    ) async throws(InstallationFault) -> Result<RevocationList, VerificationFailure>
}

extension EvidenceSource {
    /// Adds the answers to several requests, good or bad, to what is known. They are sought at once, eight at a time.
    public func answer(
        _ requests: [EvidenceRequest], in evidence: inout Evidence
    ) async throws(InstallationFault) {
        let fault = await withTaskGroup(of: Result<Answer, InstallationFault>.self) { group -> InstallationFault? in
            var waiting = requests[...]
            for request in waiting.prefix(8) { group.addTask { await answer(request) } }
            waiting = waiting.dropFirst(8)
            while let answer = await group.next() {
                switch answer {
                case .success(let answer): answer.add(to: &evidence)
                case .failure(let fault):
                    group.cancelAll()
                    return fault
                }
                if let request = waiting.popFirst() { group.addTask { await self.answer(request) } }
            }
            return nil
        }
        if let fault { throw fault }
    }

    private func answer(_ request: EvidenceRequest) async -> Result<Answer, InstallationFault> {
        do throws(InstallationFault) {
            switch request {
            case .keys(let issuer): return .success(.keys(issuer, try await keys(of: issuer, current: false)))
            case .currentKeys(let issuer):
                return .success(.currentKeys(issuer, try await keys(of: issuer, current: true)))
            case .revocationList(let name, let counter):
                return .success(.list(name, try await revocationList(name, atLeast: counter)))
            }
        } catch {
            return .failure(error)
        }
    }
}

/// What a source answered.
private enum Answer: Sendable {
    case keys(Issuer, Result<Evidence.Keys, VerificationFailure>)
    case currentKeys(Issuer, Result<Evidence.Keys, VerificationFailure>)
    case list(RevocationListName, Result<RevocationList, VerificationFailure>)

    func add(to evidence: inout Evidence) {
        switch self {
        case .keys(let issuer, let keys): evidence.keys[issuer] = keys
        case .currentKeys(let issuer, .success(let keys)): evidence.keys[issuer] = .success(keys)
        case .currentKeys(let issuer, .failure(let failure)): evidence.refusedRefreshes[issuer] = failure
        case .list(let name, let list): evidence.lists[name] = list
        }
    }
}
