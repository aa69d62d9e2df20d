import Credentials
import Cryptography
import Encodings
import SMARTHealthCards
import Testing

@testable import Evidence

/// The answers of issuers that a store holds, and for how long.
struct KeptAnswersTests {
    private static let issuer = Issuer(unchecked: "https://issuer.example")
    private static let other = Issuer(unchecked: "https://other.example")
    private static let name = RevocationListName(issuer: issuer, keyID: KeyID("a"))
    private static let failure = VerificationFailure(.keysUnavailable, "down")

    private static func time(_ seconds: Int) -> NumericDate {
        NumericDate(sinceEpoch: .seconds(1_800_000_000 + seconds))
    }

    /// The keys of an issuer, as an answer from this time.
    private func keys(
        of issuer: Issuer = issuer, at begin: Int = 0, to end: Int, currentTo: Int? = nil, isUnkept: Bool = false
    ) -> EvidenceAnswer {
        EvidenceAnswer(
            .success(IssuerKeys(JWKSet([JWK]()), origin: .network)), to: .keys(issuer),
            lifetime: AnswerLifetime(
                from: Self.time(begin), to: Self.time(end), currentTo: currentTo.map { Self.time($0) },
                isUnkept: isUnkept))
    }

    private func list(to end: Int) -> EvidenceAnswer {
        EvidenceAnswer(
            .failure(Self.failure), to: .revocationList(Self.name),
            lifetime: AnswerLifetime(from: Self.time(0), to: Self.time(end)))
    }

    @Test func keepsEachAnswerForItsLifetime() {
        var known = KeptAnswers()
        known.add(keys(to: 300), to: .keys(Self.issuer))
        known.add(keys(of: Self.other, to: 100), to: .keys(Self.other))
        known.add(list(to: 200), to: .revocationList(Self.name, atLeast: nil))
        for (moment, holds) in [
            (0, [true, true, true]), (99, [true, true, true]), (100, [true, false, true]), (199, [true, false, true]),
            (200, [true, false, false]), (299, [true, false, false]), (300, [false, false, false]),
        ] {
            known.turn(to: Self.time(moment))
            let requests: [EvidenceRequest] = [
                .keys(Self.issuer), .keys(Self.other), .revocationList(Self.name, atLeast: nil),
            ]
            #expect(requests.map { known.holds($0) } == holds, "\(moment)")
        }
    }

    @Test func noAnswerIsUsedBeforeItsTime() {
        var known = KeptAnswers()
        known.add(keys(to: 300), to: .keys(Self.issuer))
        known.turn(to: Self.time(-1))
        #expect(!known.holds(.keys(Self.issuer)))
    }

    @Test func dropsAnAnswerWithoutLifetime() {
        var known = KeptAnswers()
        known.add(keys(to: 0), to: .keys(Self.issuer))
        #expect(known.holds(.keys(Self.issuer)))
        known.turn(to: Self.time(1))
        #expect(!known.holds(.keys(Self.issuer)))
    }

    @Test func allowsARefreshOfKeysAfterAPause() throws {
        var known = KeptAnswers()
        known.add(keys(to: 900, currentTo: 300), to: .keys(Self.issuer))
        known.turn(to: Self.time(299))
        #expect(known.holds(.currentKeys(Self.issuer)))
        known.turn(to: Self.time(300))
        #expect(!known.holds(.currentKeys(Self.issuer)))
        let earlier = try #require(known.evidence[.keys(Self.issuer)]).get()
        #expect(!earlier.isCurrent && earlier.retrieved == Self.time(0) && earlier.origin == .network)
        // A refused refresh is known for a while. The keys stay in use.
        known.add(
            EvidenceAnswer(
                .failure(Self.failure), to: .currentKeys(Self.issuer),
                lifetime: AnswerLifetime(from: Self.time(300), to: Self.time(305))),
            to: .currentKeys(Self.issuer))
        known.turn(to: Self.time(304))
        #expect(known.holds(.currentKeys(Self.issuer)))
        known.turn(to: Self.time(305))
        #expect(!known.holds(.currentKeys(Self.issuer)) && known.holds(.keys(Self.issuer)))
        known.turn(to: Self.time(900))
        #expect(!known.holds(.keys(Self.issuer)))
    }

    @Test func dropsUnstorableAnswersOnceTheRunHasCaughtUp() {
        var known = KeptAnswers()
        known.add(keys(to: 300), to: .keys(Self.issuer))
        known.add(keys(of: Self.other, to: 60, isUnkept: true), to: .keys(Self.other))
        known.turn(to: Self.time(59))
        #expect(known.holds(.keys(Self.other)), "a busy run does not ask for each card")
        known.forgetUnkept()
        #expect(known.holds(.keys(Self.issuer)) && !known.holds(.keys(Self.other)))
    }

    /// At most one request per second.
    @Test func issuerIsNotAskedAgainAtOnce() {
        let limits = EvidenceStore.Limits.lines(for: TrustedIssuers())
        var known = KeptAnswers()
        #expect(known.wait(before: .keys(Self.issuer), at: Self.time(0), limits) == .zero)
        known.add(keys(to: 60, isUnkept: true), to: .keys(Self.issuer))
        #expect(known.wait(before: .keys(Self.other), at: Self.time(0), limits) == .zero)
        #expect(known.wait(before: .keys(Self.issuer), at: Self.time(0), limits) == .seconds(1))
        let half = NumericDate(sinceEpoch: Self.time(0).sinceEpoch + .milliseconds(500))
        #expect(known.wait(before: .keys(Self.issuer), at: half, limits) == .milliseconds(500))
        #expect(known.wait(before: .keys(Self.issuer), at: Self.time(1), limits) == .zero)
        known.add(keys(to: 60, isUnkept: true), to: .keys(Self.issuer))
        #expect(known.wait(before: .keys(Self.issuer), at: Self.time(-100), limits) == .zero, "the clock was set back")
    }

    // MARK: Lists

    private func counter(_ number: Int) throws -> RevocationCounter? {
        RevocationCounter(try JSONDocument.parse(Array("\(number)".utf8)))
    }

    /// The answer to a request for a list of some version, from the beginning.
    private func list(_ number: Int, atLeast wanted: Int, to end: Int = 900) throws -> EvidenceAnswer {
        let list = try RevocationList(Array(#"{"kid":"a","method":"rid","ctr":\#(number),"rids":[]}"#.utf8))
        return EvidenceAnswer(
            .success(list), to: RevocationListQuery(Self.name, atLeast: try counter(wanted)),
            lifetime: AnswerLifetime(from: Self.time(0), to: Self.time(end)))
    }

    private func request(atLeast wanted: Int) throws -> EvidenceRequest {
        .revocationList(Self.name, atLeast: try counter(wanted))
    }

    /// The issuer's keys, of which one asks for a version of the list.
    private func keys(askingFor version: Int, at begin: Int = 0) throws -> EvidenceAnswer {
        let set = try JWKSet(Array(#"{"keys":[{"kty":"EC","kid":"a","crlVersion":\#(version)}]}"#.utf8))
        return EvidenceAnswer(
            .success(IssuerKeys(set, origin: .network)), to: .keys(Self.issuer),
            lifetime: AnswerLifetime(from: Self.time(begin), to: Self.time(900)))
    }

    /// A list that new keys have made too old serves those who know the earlier keys, and nobody else.
    @Test func listThatIsOlderThanNewKeysAskForIsNoEvidence() throws {
        var known = KeptAnswers()
        known.add(try keys(askingFor: 2), to: .keys(Self.issuer))
        known.add(try list(2, atLeast: 2), to: try request(atLeast: 2))
        known.add(try keys(askingFor: 2, at: 100), to: .keys(Self.issuer))
        #expect(known.evidence.holds(try request(atLeast: 2)), "the same version is asked for")
        // A renewal that failed brings no keys.
        known.add(
            EvidenceAnswer(
                .failure(Self.failure), to: .currentKeys(Self.issuer),
                lifetime: AnswerLifetime(from: Self.time(0), to: Self.time(5))),
            to: .currentKeys(Self.issuer))
        #expect(known.evidence.holds(try request(atLeast: 2)))
        known.add(try keys(askingFor: 3, at: 200), to: .keys(Self.issuer))
        #expect(!known.evidence.holds(try request(atLeast: 2)))
        var given = EvidenceAnswers()
        let isNewEnough = known.give(try request(atLeast: 3), to: &given)
        #expect(!isNewEnough)
        #expect(!given.holds(try request(atLeast: 3)))
        let isOldEnough = known.give(try request(atLeast: 2), to: &given)
        #expect(isOldEnough)
        #expect(given.holds(try request(atLeast: 2)))
        #expect(!known.evidence.holds(try request(atLeast: 2)), "it is not for others")
        // A request for the earlier version that ends late changes nothing.
        known.add(try list(2, atLeast: 2), to: try request(atLeast: 2))
        #expect(!known.evidence.holds(try request(atLeast: 2)))
        known.add(try list(3, atLeast: 3), to: try request(atLeast: 3))
        #expect(known.evidence.holds(try request(atLeast: 3)))
    }

    /// If an issuer has no newer list at present, it is not asked for one until the pause is over.
    @Test func listThatIsOlderThanAskedForIsEnoughForItsPause() throws {
        var known = KeptAnswers()
        known.add(try keys(askingFor: 2), to: .keys(Self.issuer))
        known.add(try list(1, atLeast: 2, to: 5), to: try request(atLeast: 2))
        #expect(known.evidence.holds(try request(atLeast: 2)))
        #expect(known.holds(try request(atLeast: 2)))
        #expect(known.holds(try request(atLeast: 3)))
        known.turn(to: Self.time(5))
        #expect(!known.holds(try request(atLeast: 2)))
    }

    // MARK: The limit on unknown issuers

    @Test func unknownIssuersShareTwentyPlaces() {
        var places = IssuerPlaces(limit: EvidenceStore.Limits(for: TrustedIssuers()).unknownIssuers)
        func admits(_ number: Int, at moment: Int) -> Bool {
            let request = EvidenceRequest.keys(Issuer(unchecked: "https://i\(number).example"))
            guard let refusal = places.unaskedFailure(of: request, at: Self.time(moment)) else {
                places.take(for: request, at: Self.time(moment))
                return true
            }
            // An issuer that cannot be reached is the issuer's fault. An issuer past the limit is not, so it counts as not asked.
            #expect(refusal.code == .keysUnavailable && refusal.isUnasked)
            return false
        }
        for number in 0..<20 { #expect(admits(number, at: number)) }
        #expect(!admits(20, at: 20))
        // Issuers that have a place may be asked again at any time.
        for moment in [30, 3000, 3500] { #expect(admits(0, at: moment)) }
        places.keep(keys(of: Issuer(unchecked: "https://i1.example"), to: 86_400))
        #expect(!admits(20, at: 3599))
        // After an hour without a request, each issuer loses its place.
        #expect(admits(20, at: 3602))
        #expect(!admits(21, at: 3602))
        #expect(admits(0, at: 3602) && admits(1, at: 3602))
        for number in 30..<47 { #expect(admits(number, at: 3700)) }
        #expect(!admits(50, at: 3700))
        #expect(admits(50, at: 3700 + 3600))
        #expect(admits(1, at: 3700 + 3600), "its answer is fresh for a day")
    }

    @Test func listedIssuersHaveNoLimit() {
        var trusted = TrustedIssuers()
        trusted.allow(Self.issuer)
        var places = IssuerPlaces(limit: EvidenceStore.Limits(for: trusted).unknownIssuers)
        for number in 0..<2000 {
            let request = EvidenceRequest.keys(Issuer(unchecked: "https://i\(number).example"))
            #expect(places.unaskedFailure(of: request, at: Self.time(0)) == nil)
            places.take(for: request, at: Self.time(0))
        }
    }
}
