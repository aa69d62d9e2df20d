import IssuerNetwork
import SMARTHealthCards

/// What a run has learned of issuers, each answer as long as it serves.
struct RunEvidence {
    /// What an answer is about.
    private enum Subject: Hashable {
        case keys(Issuer)
        case refusedRefresh(Issuer)
        case list(RevocationListName)
    }

    /// What serves now.
    private(set) var evidence = Evidence()
    private var lifetimes: [Subject: AnswerLifetime] = [:]
    /// For which moments all of it serves; nil if there is nothing. It is looked at for every block.
    private var span: Range<NumericDate>?
    /// When issuers were asked lately that allow no answer to be kept.
    private var asked: [EvidenceRequest: NumericDate] = [:]
    private var hasUnkept = false

    /// How long after a question the same is not asked again, however often a card makes it necessary: the card waits.
    private static let shortestInterval = Duration.seconds(1)

    // MARK: Answers

    /// Takes the answer to a request.
    mutating func add(_ answer: EvidenceAnswer, to request: EvidenceRequest) {
        switch answer.content {
        case .keys(let issuer, _):
            lifetimes[.keys(issuer)] = answer.lifetime
            // What the keys say of their lists may have changed.
            for name in evidence.lists.keys where name.issuer == issuer {
                evidence.lists[name] = nil
                lifetimes[.list(name)] = nil
            }
        case .refusedRefresh(let issuer, _): lifetimes[.refusedRefresh(issuer)] = answer.lifetime
        case .list(let name, _): lifetimes[.list(name)] = answer.lifetime
        }
        answer.add(to: &evidence)
        if answer.lifetime.isUnkept {
            hasUnkept = true
            asked[request] = answer.lifetime.begin
        }
        narrowSpan(to: answer.lifetime, isCurrent: isCurrent(answer.content))
    }

    /// Whether the answer to a request is there.
    func holds(_ request: EvidenceRequest) -> Bool {
        switch request {
        case .keys(let issuer): return evidence.keys[issuer] != nil
        case .currentKeys(let issuer):
            if case .success(let keys) = evidence.keys[issuer], keys.isCurrent { return true }
            return evidence.refusedRefreshes[issuer] != nil
        case .revocationList(let name, _): return evidence.lists[name] != nil
        }
    }

    /// How long a request has to wait before it may be made.
    mutating func wait(before request: EvidenceRequest, at now: NumericDate) -> Duration {
        asked = asked.filter { $0.value <= now && now.sinceEpoch - $0.value.sinceEpoch < Self.shortestInterval }
        return asked[request].map { $0.sinceEpoch + Self.shortestInterval - now.sinceEpoch } ?? .zero
    }

    // MARK: Time

    /// Forgets what no longer serves.
    mutating func turn(to now: NumericDate) {
        guard let span, !span.contains(now) else { return }
        self.span = nil
        for (subject, lifetime) in lifetimes {
            guard lifetime.contains(now) else {
                forget(subject)
                continue
            }
            var isCurrent = false
            if case .keys(let issuer) = subject, case .success(let keys) = evidence.keys[issuer], keys.isCurrent {
                isCurrent = now < lifetime.currentEnd
                // From now on a key that is not among them is a reason to ask for them again.
                if !isCurrent { evidence.keys[issuer] = .success(keys.asEarlier(retrieved: lifetime.begin)) }
            }
            narrowSpan(to: lifetime, isCurrent: isCurrent)
        }
    }

    /// Forgets the answers that their issuers do not want to be kept.
    mutating func forgetUnkept() {
        guard hasUnkept else { return }
        for (subject, lifetime) in lifetimes where lifetime.isUnkept { forget(subject) }
        hasUnkept = false
    }

    private mutating func forget(_ subject: Subject) {
        lifetimes[subject] = nil
        switch subject {
        case .keys(let issuer): evidence.keys[issuer] = nil
        case .refusedRefresh(let issuer): evidence.refusedRefreshes[issuer] = nil
        case .list(let name): evidence.lists[name] = nil
        }
    }

    private mutating func narrowSpan(to lifetime: AnswerLifetime, isCurrent: Bool) {
        let end = isCurrent ? min(lifetime.end, lifetime.currentEnd) : lifetime.end
        let begin = max(lifetime.begin, span?.lowerBound ?? lifetime.begin)
        span = begin..<max(begin, min(end, span?.upperBound ?? end))
    }

    private func isCurrent(_ content: EvidenceAnswer.Content) -> Bool {
        if case .keys(_, .success(let keys)) = content { keys.isCurrent } else { false }
    }
}

extension Evidence.Keys {
    /// The same keys as those of a moment ago, which the issuer may have changed since.
    fileprivate func asEarlier(retrieved: NumericDate) -> Evidence.Keys {
        Evidence.Keys(
            set, origin: origin, isCurrent: false, retrieved: self.retrieved ?? retrieved, staleness: staleness)
    }
}
