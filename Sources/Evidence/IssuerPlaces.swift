import Credentials
import SMARTHealthCards

/// Limits how many unknown issuers are asked. The maker of a card chooses the issuer's name, and each issuer can keep
/// the program waiting.
///
/// An issuer that is asked gets a place. It keeps the place for an hour, or longer if its answer stays fresh longer. So
/// even in a long run, the number of places limits the issuers that are asked at a time, the answers that are held, and
/// the new issuers per hour.
struct IssuerPlaces: Sendable {
    /// The number of places; nil for no limit, if a list names the trusted issuers.
    private let limit: Int?
    /// The issuers that have a place, and the end of each place.
    private var places: [Issuer: NumericDate] = [:]

    private static let shortestStay = Duration.seconds(3600)

    init(limit: Int?) { self.limit = limit }

    /// Whether a request may be made. If the limit is reached, the evidence gets the answer that the issuer was not
    /// asked.
    mutating func admits(_ request: EvidenceRequest, at now: NumericDate, in evidence: inout EvidenceAnswers) -> Bool {
        guard let limit, request.isOfKeys, !request.isRenewal, let issuer = request.issuer else { return true }
        if places[issuer] == nil, places.count >= limit {
            places = places.filter { $0.value > now }
            guard places.count < limit else {
                evidence[.keys(issuer)] = .failure(
                    VerificationFailure(
                        .keysUnavailable,
                        "\(limit) issuers have been asked for keys already; without a list of trusted issuers, no more "
                            + "are asked in one run, or in one hour of a long run", isUnasked: true))
                return false
            }
        }
        let end = NumericDate(sinceEpoch: now.sinceEpoch + Self.shortestStay)
        places[issuer] = places[issuer].map { max($0, end) } ?? end
        return true
    }

    /// Extends the place of an issuer until its answer is no longer fresh.
    mutating func keep(_ answer: EvidenceAnswer) {
        guard answer.request.isOfKeys, !answer.request.isRenewal, let issuer = answer.request.issuer else { return }
        places[issuer] = places[issuer].map { max($0, answer.lifetime.end) }
    }
}
