import Deflate
import Foundation
import JOSE
import JSON
import SMARTHealthCards
import Testing

/// That many cards together are judged as each is alone, whatever was met before them and with whatever signatures are verified.
@Suite struct BulkVerifierTests {
    private static func verifier(_ policy: VerificationPolicy, _ withTables: Bool) throws -> BulkVerifier {
        try BulkVerifier(policy: policy, precomputation: withTables ? Precomputation() : nil)
    }

    // MARK: All vectors

    /// Every JWS among the vectors, good and bad.
    private static func allCards() throws -> [[UInt8]] {
        let folder = TestVectors.folder.appending(path: "cards")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        let paths = (files?.allObjects ?? []).compactMap { $0 as? URL }.filter { $0.pathExtension == "jws" }
        return try paths.sorted { $0.path < $1.path }.map { path in
            Array(try Data(contentsOf: path)).filter { $0 > 0x20 }
        }
    }

    private static func keySets() throws -> [JWKSet] {
        try ["issuer-a", "sets/revocation-listed", "sets/keys-shared-kid-1", "sets/keys-shared-kid-2"].map {
            try TestVectors.keySet($0)
        }
    }

    /// What cards of different policies and evidence are held against.
    private static func settings() throws -> [(VerificationPolicy, Evidence)] {
        let sets = try keySets()
        var published = Evidence()
        published.keys[TestVectors.issuer] = .success(.init(sets[1], origin: .network))
        published.keys[TestVectors.otherIssuer] = .success(.init(sets[3], origin: .cache, isCurrent: false))
        let name = RevocationListName(issuer: TestVectors.issuer, keyID: TestVectors.keyID)
        published.lists[name] = .success(try TestVectors.list("revocation-listed"))
        var both = VerificationPolicy.test(keys: sets[0], trusted: [TestVectors.issuer])
        both.givenKeys.add(sets[2], for: TestVectors.issuer)
        both.givenKeys.add(sets[3], for: TestVectors.otherIssuer)
        var directory = VerificationPolicy.test()
        directory.trustedIssuers.add(try IssuerDirectory(TestVectors.bytes("directories/directory-snapshot.json")))
        directory.trustedIssuers.add(
            try IssuerDirectory(TestVectors.bytes("directories/directory-snapshot-revoked.json")))
        var offline = directory
        offline.isOffline = true
        offline.maximumDirectoryAge = .seconds(1)
        return [
            (.test(keys: sets[0]), Evidence()), (.test(), published), (both, published), (directory, published),
            (offline, Evidence()),
            (.test(keys: sets[0], lists: [try TestVectors.list("revocation-listed")]), Evidence()),
        ]
    }

    @Test(arguments: [false, true]) func agreesWithTheVerifierOnEveryCardInAnyOrder(withTables: Bool) throws {
        let cards = try Self.allCards()
        #expect(cards.count > 100)
        var random = SeededGenerator(seed: 6)
        let inflater = try Inflater()
        let presented = cards.map { PresentedCard(jws: $0, source: "test") }
        let examined = presented.map { ExaminedCard($0, inflater: inflater) }
        // The few that are made to be large, or inflate to much, come once.
        let small = cards.indices.filter {
            cards[$0].count < 10_000 && examined[$0].decoded.map { $0.claims.payload.text.count < 100_000 } ?? false
        }
        for (number, (policy, evidence)) in try Self.settings().enumerated() {
            let bulk = try Self.verifier(policy, withTables)
            let verifier = Verifier(policy: policy)
            let alone = examined.map { verifier.verify($0, with: evidence) }
            var order = ((number == 0 ? Array(cards.indices) : small) + small).shuffled(using: &random)[...]
            while !order.isEmpty {
                let group = order.prefix(Int.random(in: 1...70, using: &random))
                order = order.dropFirst(group.count)
                let outcomes = bulk.verify(group.map { presented[$0] }, with: evidence)
                #expect(outcomes.count == group.count)
                for (index, outcome) in zip(group, outcomes) { try Self.expectSame(outcome, alone[index]) }
            }
        }
    }

    private static func expectSame(
        _ outcome: BulkVerifier.Outcome, _ step: Verifier.Step, _ location: SourceLocation = #_sourceLocation
    ) throws {
        switch (outcome, step) {
        case (.needs(let left, _), .needs(let right)): #expect(left == right, sourceLocation: location)
        case (.verdict(let left), .verdict(let right)):
            #expect(left.name == right.name && left.reason == right.reason, sourceLocation: location)
            #expect(left.checks == right.checks && left.warnings == right.warnings, sourceLocation: location)
            #expect(left.issuerTrust == right.issuerTrust, sourceLocation: location)
            #expect(left.keyOrigin == right.keyOrigin, sourceLocation: location)
            #expect(left.keyRetrieved == right.keyRetrieved, sourceLocation: location)
            #expect(left.directoryEntry?.issuer == right.directoryEntry?.issuer, sourceLocation: location)
            #expect(left.verified?.card.jws.text == right.verified?.card.jws.text, sourceLocation: location)
            #expect(left.claims?.payload.text == right.claims?.payload.text, sourceLocation: location)
        default: throw TestFailure("\(outcome) and \(step)", location)
        }
    }

    // MARK: Time

    /// Policies by which the same card is judged otherwise from some moment on, and what is known of its issuer.
    private static func policiesOfTime() throws -> [(VerificationPolicy, Evidence)] {
        let chain = try TestVectors.keySet("sets/certificates-anchored-with-intermediate")
        var anchored = VerificationPolicy.test(keys: chain)
        anchored.trustedIssuers.anchors = try CertificateAnchors(
            pem: TestVectors.bytes("certificates/certificates-anchored.pem"))
        var fetched = anchored
        fetched.givenKeys = GivenKeys()
        var published = Evidence()
        published.keys[TestVectors.issuer] = .success(
            .init(try TestVectors.keySet("sets/certificates-anchored"), origin: .network))
        var directory = VerificationPolicy.test()
        directory.trustedIssuers.add(try IssuerDirectory(TestVectors.bytes("directories/directory-snapshot.json")))
        directory.maximumDirectoryAge = .seconds(10 * 86_400)
        var offline = directory
        offline.isOffline = true
        return [
            (anchored, Evidence()), (fetched, published), (directory, published), (offline, Evidence()),
            (.test(keys: try TestVectors.keySet("sets/certificates-expired")), Evidence()), (.test(), published),
        ]
    }

    /// Just before, at and just after each moment from which something of these policies changes.
    private static func momentsOfChange() throws -> [NumericDate] {
        let dates = try ["2020", "2021", "2022", "2025", "2035", "2040"].map {
            try #require(NumericDate(text: "\($0)-01-01T00:00:00Z"))
        }
        // The directory's snapshot was taken at the third of these, and is young enough until the last.
        let ages = try ["2026-05-29", "2026-05-30", "2026-05-31", "2026-06-10"].map {
            try #require(NumericDate(text: "\($0)T00:00:00Z"))
        }
        return (dates + ages + [TestVectors.issued]).flatMap { date in
            [-1_000_000_000, -1, 0, 1, 1_000_000_000].map { (time: Int) in
                NumericDate(sinceEpoch: date.sinceEpoch + .nanoseconds(time))
            }
        }
    }

    /// Wherever the clock stands, and wherever it stood before.
    @Test(arguments: [false, true]) func judgesByTheClockAndNotByWhatHeldBefore(withTables: Bool) throws {
        var random = SeededGenerator(seed: 23)
        let card = try TestVectors.card()
        let examined = try ExaminedCard(jws: card)
        let moments = try Self.momentsOfChange()
        var outcomes: Set<String> = []
        for (policy, evidence) in try Self.policiesOfTime() {
            let bulk = try Self.verifier(policy, withTables)
            for moment in moments.sorted() + moments.sorted().reversed() + moments.shuffled(using: &random) {
                bulk.now = moment
                var alone = policy
                alone.now = moment
                let step = Verifier(policy: alone).verify(examined, with: evidence)
                for outcome in bulk.verify([examined, examined], with: evidence) {
                    try Self.expectSame(outcome, step)
                    if case .verdict(let verdict) = outcome {
                        outcomes.insert("\(verdict.reason?.code.rawValue ?? "pass") \(verdict.warnings.count)")
                    }
                }
            }
        }
        // What there is to tell apart.
        #expect(
            outcomes.isSuperset(of: [
                "pass 0", "pass 1", "certificate-invalid 0", "keys-unavailable 0", "not-yet-valid 0",
            ]))
    }

    // MARK: What is kept from card to card

    private func codes(
        _ bulk: BulkVerifier, _ cards: [[UInt8]], _ evidence: Evidence
    ) -> [String] {
        bulk.verify(cards.map { PresentedCard(jws: $0, source: "test") }, with: evidence).map { outcome in
            switch outcome {
            case .verdict(let verdict): verdict.reason?.code.rawValue ?? "pass"
            case .needs(let request, _): "\(request)".hasPrefix("keys") ? "keys" : "more"
            }
        }
    }

    private func evidence(_ set: JWKSet, isCurrent: Bool = true) -> Evidence {
        var evidence = Evidence()
        evidence.keys[TestVectors.issuer] = .success(.init(set, origin: .cache, isCurrent: isCurrent))
        return evidence
    }

    @Test(arguments: [false, true]) func oneKeyIDUnderTwoIssuersIsTwoKeys(withTables: Bool) throws {
        var evidence = evidence(try TestVectors.keySet("sets/keys-shared-kid-1"))
        evidence.keys[TestVectors.otherIssuer] = .success(
            .init(try TestVectors.keySet("sets/keys-shared-kid-2"), origin: .network))
        let cards = try ["shared-kid-1", "shared-kid-2", "shared-kid-of-other-issuer"].map {
            try TestVectors.jws("keys/\($0)")
        }
        let bulk = try Self.verifier(.test(), withTables)
        for _ in 0..<3 { #expect(codes(bulk, cards, evidence) == ["pass", "pass", "signature-invalid"]) }
        for (card, code) in zip(cards, ["pass", "pass", "signature-invalid"]).reversed() {
            #expect(codes(bulk, [card], evidence) == [code])
        }
    }

    /// The claim that is looked at before a card is judged is that of the first key.
    @Test(arguments: [false, true]) func anyKeyOfTheIDMayHaveSigned(withTables: Bool) throws {
        let sets = [try TestVectors.keys(), try TestVectors.keySet("sets/keys-other-key-under-kid")]
        let card = try TestVectors.card()
        let forged = try TestVectors.jws("signature/payload-changed")
        for set in [JWKSet(merging: sets), JWKSet(merging: sets.reversed())] {
            let bulk = try Self.verifier(.test(), withTables)
            for _ in 0..<3 {
                #expect(
                    codes(bulk, [card, forged, card], evidence(set)) == ["pass", "signature-invalid", "pass"])
            }
        }
    }

    @Test(arguments: [false, true]) func oneHeaderUnderTwoIssuersIsJudgedByTheIssuer(withTables: Bool) throws {
        let other = Payload.jws(Payload.text(["iss": #""https://issuer-b.example/cards""#]))
        let good = try TestVectors.card()
        let header = other.prefix { $0 != UInt8(ascii: ".") }
        let same = Array(header) + Array(good.drop { $0 != UInt8(ascii: ".") })
        let bulk = try Self.verifier(.test(), withTables)
        let codes = codes(bulk, [good, other, same, good], evidence(try TestVectors.keys()))
        #expect(
            codes == [
                "pass", "keys", header.elementsEqual(good.prefix(header.count)) ? "pass" : "signature-invalid", "pass",
            ])
    }

    /// Each of these replaces what was known of the issuer's keys before, in one and the same verifier.
    @Test(arguments: [false, true]) func newEvidenceReplacesWhatWasConcludedFromTheOld(withTables: Bool) throws {
        let bulk = try Self.verifier(.test(), withTables)
        let card = try TestVectors.card()
        let good = try TestVectors.keys()
        let other = try TestVectors.keySet("sets/keys-other-key-under-kid")
        let burnt = JWKSet(merging: [good, try TestVectors.keySet("sets/keys-private-half-only")])
        for _ in 0..<2 {
            #expect(codes(bulk, [card, card], Evidence()) == ["keys", "keys"])
            #expect(codes(bulk, [card, card], evidence(good)) == ["pass", "pass"])
            #expect(codes(bulk, [card], evidence(other)) == ["signature-invalid"])
            #expect(codes(bulk, [card], evidence(burnt)) == ["key-invalid"])
            #expect(codes(bulk, [card], evidence(TestVectors.noKeys, isCurrent: false)) == ["more"])
            #expect(codes(bulk, [card], evidence(TestVectors.noKeys)) == ["key-not-found"])
            var evidence = evidence(good)
            #expect(codes(bulk, [card], evidence) == ["pass"])
            evidence.keys[TestVectors.issuer] = .failure(VerificationFailure(.keysUnavailable, "down"))
            #expect(codes(bulk, [card], evidence) == ["keys-unavailable"])
            evidence.keys[TestVectors.issuer] = .success(.init(TestVectors.noKeys, origin: .cache, isCurrent: false))
            evidence.refusedRefreshes[TestVectors.issuer] = VerificationFailure(.keysUnavailable, "down")
            #expect(codes(bulk, [card], evidence) == ["keys-unavailable"])
            evidence.refusedRefreshes = [:]
            #expect(codes(bulk, [card], evidence) == ["more"])
            evidence.keys[TestVectors.issuer] = .success(.init(good, origin: .network))
            #expect(codes(bulk, [card], evidence) == ["pass"])
            evidence.keys[TestVectors.issuer] = nil
            #expect(codes(bulk, [card], evidence) == ["keys"])
        }
    }

    @Test(arguments: [false, true]) func aListThatChangesBetweenCallsCounts(withTables: Bool) throws {
        let bulk = try Self.verifier(.test(), withTables)
        let card = try TestVectors.revocableCard()
        var evidence = evidence(try TestVectors.keysWithList())
        let name = RevocationListName(issuer: TestVectors.issuer, keyID: TestVectors.keyID)
        for _ in 0..<2 {
            evidence.lists[name] = nil
            #expect(codes(bulk, [card], evidence) == ["more"])
            evidence.lists[name] = .success(try TestVectors.list("revocation-not-listed"))
            #expect(codes(bulk, [card, card], evidence) == ["pass", "pass"])
            evidence.lists[name] = .success(try TestVectors.list("revocation-listed"))
            #expect(codes(bulk, [card], evidence) == ["revoked"])
        }
    }

    @Test(arguments: [false, true]) func moreIssuersAndHeadersThanAreKeptChangeNothing(withTables: Bool) throws {
        let bulk = try Self.verifier(.test(keys: try TestVectors.keys()), withTables)
        let card = try TestVectors.card()
        for round in 0..<3 {
            let others = (0..<700).map { number in
                Payload.jws(
                    Payload.text(["iss": #""https://i\#(round)-\#(number).example""#]),
                    header: #"{"zip":"DEF","alg":"ES256","kid":"\#(round)-\#(number)"}"#)
            }
            #expect(Set(codes(bulk, others, Evidence())) == ["key-not-found"])
            #expect(codes(bulk, [card], Evidence()) == ["pass"])
        }
    }

    @Test(arguments: [false, true]) func aCardThatNeededSomethingIsBroughtAgain(withTables: Bool) throws {
        let bulk = try Self.verifier(.test(), withTables)
        let card = PresentedCard(jws: try TestVectors.card(), source: "test")
        guard case .needs(let request, let examined)? = bulk.verify([card], with: Evidence()).first else {
            Issue.record("a verdict without keys")
            return
        }
        #expect(request == .keys(TestVectors.issuer))
        guard case .verdict(let verdict)? = bulk.verify([examined], with: evidence(try TestVectors.keys())).first else {
            Issue.record("no verdict")
            return
        }
        #expect(verdict.verified != nil)
    }
}
