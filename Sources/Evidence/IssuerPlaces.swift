import Credentials

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

    /// Why a request may not be made, since the limit is reached; nil if it may be.
    mutating func unaskedFailure(of request: EvidenceRequest, at now: NumericDate) -> VerificationFailure? {
        guard let limit, let issuer = request.issuerOfNewKeys, places[issuer] == nil, places.count >= limit else {
            return nil
        }
        places = places.filter { $0.value > now }
        guard places.count >= limit else { return nil }
        return VerificationFailure(
            .keysUnavailable,
            "\(limit) issuers have been asked for keys already; without a list of trusted issuers, no more "
                + "are asked in one run, or in one hour of a long run", isUnasked: true)
    }

    /// Gives the issuer of a request that is made a place.
    mutating func take(for request: EvidenceRequest, at now: NumericDate) {
        guard limit != nil, let issuer = request.issuerOfNewKeys else { return }
        let end = NumericDate(sinceEpoch: now.sinceEpoch + Self.shortestStay)
        places[issuer] = places[issuer].map { max($0, end) } ?? end
    }

    /// Extends the place of an issuer until its answer is no longer fresh.
    mutating func keep(_ answer: EvidenceAnswer) {
        guard let issuer = answer.request.issuerOfNewKeys else { return }
        places[issuer] = places[issuer].map { max($0, answer.lifetime.end) }
    }
}

extension EvidenceRequest {
    /// The issuer whose keys are wanted for the first time; nil for another request.
    fileprivate var issuerOfNewKeys: Issuer? { isOfKeys && !isRenewal ? issuer : nil }
}
