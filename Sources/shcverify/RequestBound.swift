import SMARTHealthCards

/// How many issuers that nobody vouches for are asked. The maker of a card names its issuer, and each issuer may keep us
/// waiting.
///
/// An issuer that is asked has a place, and keeps it for an hour, or longer while its answer serves. So however long a run
/// goes on, no more issuers are asked at a time, no more answers are held, and no more are new within an hour.
struct RequestBound {
    /// How many places there are; nil for any number, if a list names the trusted issuers.
    private let limit: Int?
    /// The issuers that have one, and until when.
    private var places: [Issuer: NumericDate] = [:]

    private static let shortestStay = Duration.seconds(3600)
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
    mutating func admits(_ request: EvidenceRequest, at now: NumericDate, in evidence: inout Evidence) -> Bool {
        guard let limit, case .keys(let issuer) = request else { return true }
        if places[issuer] == nil, places.count >= limit {
            places = places.filter { $0.value > now }
            guard places.count < limit else {
                evidence.keys[issuer] = .failure(
                    VerificationFailure(
                        .keysUnavailable,
                        "\(limit) issuers have been asked for keys already; without a list of trusted issuers no more "
                            + "are asked in one run, or within an hour of a long one", isUnasked: true))
                return false
            }
        }
        let end = NumericDate(sinceEpoch: now.sinceEpoch + Self.shortestStay)
        places[issuer] = places[issuer].map { max($0, end) } ?? end
        return true
    }

    /// Has an issuer keep its place as long as its answer serves.
    mutating func keep(_ issuer: Issuer, until end: NumericDate) {
        places[issuer] = places[issuer].map { max($0, end) }
    }
}
