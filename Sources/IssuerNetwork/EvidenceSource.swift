public import SMARTHealthCards

/// Gets what the verifier asks for. Nothing is asked again before its time; `Evidence` keeps the answers.
///
/// What is wrong with an issuer is an answer. An `InstallationFault` is none: nothing can be fetched, and the run ends.
public protocol EvidenceSource: Sendable {
    /// The keys that an issuer publishes; `keys-unavailable` if they cannot be fetched.
    ///
    /// - Parameter current: whether an answer from earlier will not do.
    func keys(of issuer: Issuer, current: Bool) async throws(InstallationFault) -> Answered<Evidence.Keys>

    /// A revocation list that an issuer publishes; `revocation-unavailable` if it cannot be fetched.
    ///
    /// - Parameter counter: what an answer from earlier has to have reached; nil if none will do.
    func revocationList(
        _ name: RevocationListName, atLeast counter: RevocationCounter?
    ) async throws(InstallationFault) -> Answered<RevocationList>
}

/// An answer, good or bad, and for how long it serves.
public struct Answered<Content: Sendable>: Sendable {
    public let result: Result<Content, VerificationFailure>
    public let lifetime: AnswerLifetime

    public init(_ result: Result<Content, VerificationFailure>, _ lifetime: AnswerLifetime) {
        self.result = result
        self.lifetime = lifetime
    }
}

extension EvidenceSource {
    /// Adds the answers to several requests, good or bad, to what is known. They are sought at once, eight at a time.
    public func answer(
        _ requests: [EvidenceRequest], in evidence: inout Evidence
    ) async throws(InstallationFault) {
        let fault = await withTaskGroup(of: Result<EvidenceAnswer, InstallationFault>.self) {
            group -> InstallationFault? in
            var waiting = requests[...]
            for request in waiting.prefix(8) { group.addTask { await result(of: request) } }
            waiting = waiting.dropFirst(8)
            while let answer = await group.next() {
                switch answer {
                case .success(let answer): answer.add(to: &evidence)
                case .failure(let fault):
                    group.cancelAll()
                    return fault
                }
                if let request = waiting.popFirst() { group.addTask { await self.result(of: request) } }
            }
            return nil
        }
        if let fault { throw fault }
    }

    private func result(of request: EvidenceRequest) async -> Result<EvidenceAnswer, InstallationFault> {
        do throws(InstallationFault) {
            return .success(try await answer(request))
        } catch {
            return .failure(error)
        }
    }

    /// The answer to a request.
    public func answer(_ request: EvidenceRequest) async throws(InstallationFault) -> EvidenceAnswer {
        switch request {
        case .keys(let issuer):
            let keys = try await keys(of: issuer, current: false)
            return EvidenceAnswer(.keys(issuer, keys.result), lifetime: keys.lifetime)
        case .currentKeys(let issuer):
            let keys = try await keys(of: issuer, current: true)
            guard case .failure(let failure) = keys.result else {
                return EvidenceAnswer(.keys(issuer, keys.result), lifetime: keys.lifetime)
            }
            return EvidenceAnswer(.refusedRefresh(issuer, failure), lifetime: keys.lifetime)
        case .revocationList(let name, let counter):
            let list = try await revocationList(name, atLeast: counter)
            return EvidenceAnswer(.list(name, list.result), lifetime: list.lifetime)
        }
    }
}

/// What a source answered to a request.
public struct EvidenceAnswer: Sendable {
    public enum Content: Sendable {
        case keys(Issuer, Result<Evidence.Keys, VerificationFailure>)
        /// The issuer's keys could not be fetched again; those that were known before still stand.
        case refusedRefresh(Issuer, VerificationFailure)
        case list(RevocationListName, Result<RevocationList, VerificationFailure>)
    }

    public let content: Content
    public let lifetime: AnswerLifetime

    public init(_ content: Content, lifetime: AnswerLifetime) {
        self.content = content
        self.lifetime = lifetime
    }

    /// Adds it to what is known, in place of what was known before.
    public func add(to evidence: inout Evidence) {
        switch content {
        case .keys(let issuer, let keys): evidence.keys[issuer] = keys
        case .refusedRefresh(let issuer, let failure): evidence.refusedRefreshes[issuer] = failure
        case .list(let name, let list): evidence.lists[name] = list
        }
    }
}
