package import Credentials
import FHIR
package import IssuerNetwork
import SMARTHealthCards

/// The answers of issuers that a run holds, each for as long as it is fresh.
package struct EvidenceCache: Sendable {
    /// The answers that are fresh now.
    package private(set) var evidence = Evidence()
    private var lifetimes: [EvidenceRequest: AnswerLifetime] = [:]
    /// The period in which all these answers are fresh; nil if there are none. This makes the check for every block
    /// cheap.
    private var span: Range<NumericDate>?
    /// When issuers were last asked that do not allow their answers to be kept.
    private var asked: [EvidenceRequest: NumericDate] = [:]
    private var hasUnkept = false

    package init() {}

    /// The minimum time between two equal requests. Cards that need the answer again wait until then.
    private static let shortestInterval = Duration.seconds(1)

    // MARK: Answers

    /// Adds the answer to a request.
    package mutating func add(_ answer: EvidenceAnswer, to request: EvidenceRequest) {
        lifetimes[answer.request] = answer.lifetime
        // The new keys may have other versions of their revocation lists.
        if let issuer = answer.request.issuerOfKeys {
            for case let list as RevocationListQuery in lifetimes.keys.map(\.query) where list.name.issuer == issuer {
                forget(EvidenceRequest(list))
            }
        }
        answer.add(to: &evidence)
        if answer.lifetime.isUnkept {
            hasUnkept = true
            asked[request] = answer.lifetime.begin
        }
        narrowSpan(to: answer.lifetime, isCurrent: currentKeys(answer.request) != nil)
    }

    /// Whether a fresh answer to a request is there.
    package func holds(_ request: EvidenceRequest) -> Bool {
        if let query = request.query as? IssuerKeysQuery, query.isCurrent, currentKeys(.keys(query.issuer)) != nil {
            return true
        }
        return evidence.holds(request)
    }

    /// How long to wait before a request may be made.
    package mutating func wait(before request: EvidenceRequest, at now: NumericDate) -> Duration {
        asked = asked.filter { $0.value <= now && now.sinceEpoch - $0.value.sinceEpoch < Self.shortestInterval }
        return asked[request].map { $0.sinceEpoch + Self.shortestInterval - now.sinceEpoch } ?? .zero
    }

    // MARK: Time

    /// Drops the answers that are no longer fresh.
    package mutating func turn(to now: NumericDate) {
        guard let span, !span.contains(now) else { return }
        self.span = nil
        for (request, lifetime) in lifetimes {
            guard lifetime.contains(now) else {
                forget(request)
                continue
            }
            var isCurrent = false
            if let issuer = request.issuerOfKeys, let keys = currentKeys(request) {
                isCurrent = now < lifetime.currentEnd
                // From now on, a missing key is a reason to ask for the keys again.
                if !isCurrent { evidence[.keys(issuer)] = .success(keys.asEarlier(retrieved: lifetime.begin)) }
            }
            narrowSpan(to: lifetime, isCurrent: isCurrent)
        }
    }

    /// Drops the answers that their issuers do not allow to be kept.
    package mutating func forgetUnkept() {
        guard hasUnkept else { return }
        for (request, lifetime) in lifetimes where lifetime.isUnkept { forget(request) }
        hasUnkept = false
    }

    private mutating func forget(_ request: EvidenceRequest) {
        lifetimes[request] = nil
        evidence.remove(request)
    }

    private mutating func narrowSpan(to lifetime: AnswerLifetime, isCurrent: Bool) {
        let end = isCurrent ? min(lifetime.end, lifetime.currentEnd) : lifetime.end
        let begin = max(lifetime.begin, span?.lowerBound ?? lifetime.begin)
        span = begin..<max(begin, min(end, span?.upperBound ?? end))
    }

    /// The keys that an issuer published just now; nil if the request is not for keys, or they are from an earlier time.
    private func currentKeys(_ request: EvidenceRequest) -> IssuerKeys? {
        guard let issuer = request.issuerOfKeys, case .success(let keys)? = evidence[.keys(issuer)], keys.isCurrent
        else {
            return nil
        }
        return keys
    }
}

extension EvidenceRequest {
    /// The issuer of the keys that are asked for; nil if the request is not for keys, or only for new ones.
    fileprivate var issuerOfKeys: Issuer? {
        (query as? IssuerKeysQuery).flatMap { $0.isCurrent ? nil : $0.issuer }
    }
}

extension IssuerKeys {
    /// The same keys, marked as retrieved earlier: the issuer may have changed them since.
    fileprivate func asEarlier(retrieved: NumericDate) -> IssuerKeys {
        IssuerKeys(
            set, origin: origin, isCurrent: false, retrieved: self.retrieved ?? retrieved, staleness: staleness)
    }
}
