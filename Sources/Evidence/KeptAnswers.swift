import Credentials
import SMARTHealthCards

/// The answers of issuers that an `EvidenceStore` holds in memory, each for as long as it is fresh.
struct KeptAnswers: Sendable {
    /// The answers that are fresh now, and that serve everybody.
    private(set) var evidence = EvidenceAnswers()
    /// All answers that are fresh now. A list that is older than the issuer's keys ask for serves only those who know
    /// earlier keys.
    private(set) var answers: [EvidenceRequest: EvidenceAnswer] = [:]
    /// The period in which all these answers are fresh; nil if there are none. This makes the check for every block
    /// cheap.
    private var span: Range<NumericDate>?
    /// When issuers were last asked that do not allow their answers to be kept.
    private var asked: [EvidenceRequest: NumericDate] = [:]
    private var hasUnkept = false

    // MARK: Answers

    /// Adds the answer to a request.
    mutating func add(_ answer: EvidenceAnswer, to request: EvidenceRequest) {
        answers[answer.request] = answer
        settle(answer.request)
        // New keys may ask for other versions of their lists. A renewal that failed brings none.
        if answer.request.isOfKeys, !answer.request.isRenewal {
            for other in answers.keys where !other.isOfKeys && other.issuer == answer.request.issuer { settle(other) }
        }
        if answer.lifetime.isUnkept {
            hasUnkept = true
            asked[request.answered] = answer.lifetime.begin
        }
        narrowSpan(to: answer.lifetime, isCurrent: currentKeys(answer.request) != nil)
    }

    /// Whether there is a fresh answer that is enough for a request.
    func holds(_ request: EvidenceRequest) -> Bool {
        if request.isRenewal, currentKeys(request.answered) != nil { return true }
        return answers[request.kept]?.isEnough(for: request) ?? false
    }

    /// Gives what is held for a request. Keys that are current are kept as the issuer's keys. That they could not be renewed
    /// is kept beside them.
    ///
    /// - Returns: whether it is enough.
    func give(_ request: EvidenceRequest, to other: inout EvidenceAnswers) -> Bool {
        guard holds(request) else { return false }
        for kept in [request.answered, request] where !other.take(kept, from: evidence) {
            answers[kept.kept]?.add(to: &other)
        }
        return true
    }

    /// Makes an answer part of the evidence, unless it is a list that is older than the issuer's keys ask for.
    private mutating func settle(_ request: EvidenceRequest) {
        guard let answer = answers[request] else { return }
        if !request.isOfKeys, let issuer = request.issuer, case .success(let keys)? = evidence[.keys(issuer)],
            !answer.isEnough(for: request.renewed(by: keys))
        {
            evidence.remove(request)
        } else {
            answer.add(to: &evidence)
        }
    }

    /// How long to wait before a request may be made.
    mutating func wait(
        before request: EvidenceRequest, at now: NumericDate, _ limits: EvidenceStore.Limits
    ) -> Duration {
        let interval = limits.unkeptInterval
        asked = asked.filter { $0.value <= now && now.sinceEpoch - $0.value.sinceEpoch < interval }
        return asked[request.answered].map { $0.sinceEpoch + interval - now.sinceEpoch } ?? .zero
    }

    // MARK: Time

    /// Drops the answers that are no longer fresh.
    mutating func turn(to now: NumericDate) {
        guard let span, !span.contains(now) else { return }
        self.span = nil
        for (request, answer) in answers {
            let lifetime = answer.lifetime
            guard lifetime.contains(now) else {
                forget(request)
                continue
            }
            var isCurrent = false
            if let keys = currentKeys(request) {
                isCurrent = now < lifetime.currentEnd
                // From now on, a missing key is a reason to ask for the keys again.
                if !isCurrent { evidence[keys.query] = .success(keys.content.asEarlier(retrieved: lifetime.begin)) }
            }
            narrowSpan(to: lifetime, isCurrent: isCurrent)
        }
    }

    /// Drops the answers that their issuers do not allow to be kept.
    mutating func forgetUnkept() {
        guard hasUnkept else { return }
        for (request, answer) in answers where answer.lifetime.isUnkept { forget(request) }
        hasUnkept = false
    }

    private mutating func forget(_ request: EvidenceRequest) {
        answers[request] = nil
        evidence.remove(request)
    }

    private mutating func narrowSpan(to lifetime: AnswerLifetime, isCurrent: Bool) {
        let end = isCurrent ? min(lifetime.end, lifetime.currentEnd) : lifetime.end
        let begin = max(lifetime.begin, span?.lowerBound ?? lifetime.begin)
        span = begin..<max(begin, min(end, span?.upperBound ?? end))
    }

    /// The keys that an issuer published just now; nil if the request is not for keys, or they are from an earlier time.
    private func currentKeys(_ request: EvidenceRequest) -> (query: IssuerKeysQuery, content: IssuerKeys)? {
        guard request.isOfKeys, !request.isRenewal, let issuer = request.issuer,
            case .success(let keys)? = evidence[.keys(issuer)], keys.isCurrent
        else { return nil }
        return (.keys(issuer), keys)
    }
}

extension IssuerKeys {
    /// The same keys, marked as retrieved earlier: the issuer may have changed them since.
    fileprivate func asEarlier(retrieved: NumericDate) -> IssuerKeys {
        IssuerKeys(
            set, origin: origin, isCurrent: false, retrieved: self.retrieved ?? retrieved, staleness: staleness)
    }
}
