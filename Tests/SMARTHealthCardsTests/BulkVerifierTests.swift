import Credentials
import Cryptography
import Encodings
import Foundation
import SMARTHealthCards
import TestSupport
import Testing

/// Many cards that are verified together get the same verdicts as each card alone. Earlier cards and the way in which signatures
/// are verified make no difference.
@Suite struct BulkVerifierTests {
    /// How signatures are verified.
    enum Way: CaseIterable, Sendable {
        case evp, tables, lanes

        static var possible: [Way] { LaneLibrary.path == nil ? [.evp, .tables] : Way.allCases }
    }

    private static func verifier(_ policy: CardPolicy, _ way: Way) throws -> CardVerifier {
        let precomputation: Precomputation? =
            switch way {
            case .evp: nil
            case .tables: Precomputation()
            case .lanes:
                Precomputation(
                    lanes: try SignatureLanes(path: #require(LaneLibrary.path)) { _ in Issue.record("lanes are wrong") }
                )
            }
        return try CardVerifier(policy: policy, precomputation: precomputation)
    }

    // MARK: All vectors

    /// Every JWS among the vectors, good and bad.
    private static func allCards() throws -> [[UInt8]] {
        let folder = VectorFiles.folder.appending(path: "cards")
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

    /// Different policies and evidence to verify cards with.
    private static func settings() throws -> [(CardPolicy, EvidenceAnswers)] {
        let sets = try keySets()
        var published = EvidenceAnswers()
        published[.keys(TestVectors.issuer)] = .success(.init(sets[1], origin: .network))
        published[.keys(TestVectors.otherIssuer)] = .success(.init(sets[3], origin: .cache, isCurrent: false))
        let name = RevocationListName(issuer: TestVectors.issuer, keyID: TestVectors.keyID)
        published[.revocationList(name)] = .success(try TestVectors.list("revocation-listed"))
        var both = CardPolicy.test(keys: sets[0], trusted: [TestVectors.issuer])
        both.givenKeys.add(sets[2], for: TestVectors.issuer)
        both.givenKeys.add(sets[3], for: TestVectors.otherIssuer)
        var directory = CardPolicy.test()
        directory.trustedIssuers.add(try IssuerDirectory(VectorFiles.bytes("directories/directory-snapshot.json")))
        directory.trustedIssuers.add(
            try IssuerDirectory(VectorFiles.bytes("directories/directory-snapshot-revoked.json")))
        var offline = directory
        offline.isOffline = true
        offline.maximumDirectoryAge = .seconds(1)
        return [
            (.test(keys: sets[0]), EvidenceAnswers()), (.test(), published), (both, published), (directory, published),
            (offline, EvidenceAnswers()),
            (.test(keys: sets[0], lists: [try TestVectors.list("revocation-listed")]), EvidenceAnswers()),
        ]
    }

    @Test(arguments: Way.possible) func givesTheSameVerdictsInAnyOrderAndGrouping(_ way: Way) throws {
        let cards = try Self.allCards()
        #expect(cards.count > 100)
        var random = SeededGenerator(seed: 6)
        let inflater = try Inflater()
        let presented = cards.map { PresentedCredential(jws: $0, source: "test") }
        let examined = presented.map { ExaminedCard($0, inflater: inflater) }
        // The few cards that are large, or that inflate to a large payload, are used only once.
        let small = cards.indices.filter {
            cards[$0].count < 10_000 && examined[$0].decoded.map { $0.claims.payload.text.count < 100_000 } ?? false
        }
        for (number, (policy, evidence)) in try Self.settings().enumerated() {
            let bulk = try Self.verifier(policy, way)
            let verifier = ReferenceVerifier(policy: policy)
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

    /// Confirms every third claim that is true, as a slow or cautious confirmer could.
    private final class CautiousConfirmer: SignatureConfirmer {
        let bestCount = 5
        private(set) var asked = 0

        func confirmed(_ claims: [SignatureClaim?]) -> [Int] {
            asked += 1
            return claims.indices.filter { place in
                guard let claim = claims[place], place.isMultiple(of: 3) else { return false }
                return claim.key.isValid(claim.signature, for: claim.message)
            }
        }
    }

    /// What a confirmer leaves open is asked of EVP, so the verdicts do not depend on it.
    @Test func confirmerDecidesNothing() throws {
        let cards = try Self.allCards().filter { $0.count < 10_000 }
        let confirmer = CautiousConfirmer()
        let verifier = try CardVerifier(policy: .test(keys: try Self.keySets()[0]), confirmer: confirmer)
        #expect(verifier.bestCount == 5)
        let examined = cards.map { verifier.examine(PresentedCredential(jws: $0, source: "test")) }
        let alone = examined.map { verifier.verify($0, with: EvidenceAnswers()) }
        #expect(confirmer.asked == 0)
        // The first round finds the keys. Only the second has claims.
        for _ in 0..<2 {
            for (outcome, step) in zip(verifier.verify(examined, with: EvidenceAnswers()), alone) {
                try Self.expectSame(outcome, step)
            }
        }
        #expect(confirmer.asked == 2)
    }

    private static func expectSame(
        _ outcome: VerificationStep, _ step: VerificationStep, _ location: SourceLocation = #_sourceLocation
    ) throws {
        switch (outcome, step) {
        case (.needs(let left), .needs(let right)): #expect(left == right, sourceLocation: location)
        case (.verdict(let left), .verdict(let right)):
            #expect(left.name == right.name && left.reason == right.reason, sourceLocation: location)
            #expect(left.checks == right.checks && left.warnings == right.warnings, sourceLocation: location)
            #expect(left.issuerTrust == right.issuerTrust, sourceLocation: location)
            #expect(left.keyOrigin == right.keyOrigin, sourceLocation: location)
            #expect(left.keyRetrieved == right.keyRetrieved, sourceLocation: location)
            #expect(left.directoryEntry?.issuer == right.directoryEntry?.issuer, sourceLocation: location)
            #expect(left.jws == right.jws, sourceLocation: location)
            #expect(left.payload == right.payload, sourceLocation: location)
        default: throw TestFailure("\(outcome) and \(step)", location)
        }
    }

    // MARK: Time

    /// Policies and evidence with which the verdict on one card changes over time.
    private static func policiesOfTime() throws -> [(CardPolicy, EvidenceAnswers)] {
        let chain = try TestVectors.keySet("sets/certificates-anchored-with-intermediate")
        var anchored = CardPolicy.test(keys: chain)
        anchored.trustedIssuers.anchors = try CertificateAnchors(
            pem: VectorFiles.bytes("certificates/certificates-anchored.pem"))
        var fetched = anchored
        fetched.givenKeys = GivenKeys()
        var published = EvidenceAnswers()
        published[.keys(TestVectors.issuer)] = .success(
            .init(try TestVectors.keySet("sets/certificates-anchored"), origin: .network))
        var directory = CardPolicy.test()
        directory.trustedIssuers.add(try IssuerDirectory(VectorFiles.bytes("directories/directory-snapshot.json")))
        directory.maximumDirectoryAge = .seconds(10 * 86_400)
        var offline = directory
        offline.isOffline = true
        return [
            (anchored, EvidenceAnswers()), (fetched, published), (directory, published), (offline, EvidenceAnswers()),
            (.test(keys: try TestVectors.keySet("sets/certificates-expired")), EvidenceAnswers()), (.test(), published),
        ]
    }

    /// Moments just before, at and just after each change of a verdict with these policies.
    private static func momentsOfChange() throws -> [NumericDate] {
        let dates = try ["2020", "2021", "2022", "2025", "2035", "2040"].map {
            try #require(NumericDate(text: "\($0)-01-01T00:00:00Z"))
        }
        // The directory's snapshot was taken at the third of these moments, and is recent enough until the last.
        let ages = try ["2026-05-29", "2026-05-30", "2026-05-31", "2026-06-10"].map {
            try #require(NumericDate(text: "\($0)T00:00:00Z"))
        }
        return (dates + ages + [TestVectors.issued]).flatMap { date in
            [-1_000_000_000, -1, 0, 1, 1_000_000_000].map { (time: Int) in
                NumericDate(sinceEpoch: date.sinceEpoch + .nanoseconds(time))
            }
        }
    }

    /// The clock moves forwards, backwards and at random.
    @Test(arguments: Way.possible) func verifiesForTheCurrentMomentAfterTheClockChanged(_ way: Way) throws {
        var random = SeededGenerator(seed: 23)
        let card = try TestVectors.card()
        let examined = try ExaminedCard(jws: card)
        let moments = try Self.momentsOfChange()
        var outcomes: Set<String> = []
        for (policy, evidence) in try Self.policiesOfTime() {
            let bulk = try Self.verifier(policy, way)
            for moment in moments.sorted() + moments.sorted().reversed() + moments.shuffled(using: &random) {
                bulk.now = moment
                var alone = policy
                alone.now = moment
                let step = ReferenceVerifier(policy: alone).verify(examined, with: evidence)
                for outcome in bulk.verify([examined, examined], with: evidence) {
                    try Self.expectSame(outcome, step)
                    if case .verdict(let verdict) = outcome {
                        outcomes.insert("\(verdict.reason?.code.rawValue ?? "pass") \(verdict.warnings.count)")
                    }
                }
            }
        }
        // The moments must lead to these different outcomes, so that the comparison above means something.
        #expect(
            outcomes.isSuperset(of: [
                "pass 0", "pass 1", "certificate-invalid 0", "keys-unavailable 0", "not-yet-valid 0",
            ]))
    }

    // MARK: What is kept from card to card

    private func codes(
        _ bulk: CardVerifier, _ cards: [[UInt8]], _ evidence: EvidenceAnswers
    ) -> [String] {
        bulk.verify(cards.map { PresentedCredential(jws: $0, source: "test") }, with: evidence).map { outcome in
            switch outcome {
            case .verdict(let verdict): verdict.reason?.code.rawValue ?? "pass"
            case .needs(let request): (request.query as? IssuerKeysQuery)?.isCurrent == false ? "keys" : "more"
            }
        }
    }

    private func evidence(_ set: JWKSet, isCurrent: Bool = true) -> EvidenceAnswers {
        var evidence = EvidenceAnswers()
        evidence[.keys(TestVectors.issuer)] = .success(.init(set, origin: .cache, isCurrent: isCurrent))
        return evidence
    }

    @Test(arguments: Way.possible) func keepsKeysOfTwoIssuersWithOneKeyIDApart(_ way: Way) throws {
        var evidence = evidence(try TestVectors.keySet("sets/keys-shared-kid-1"))
        evidence[.keys(TestVectors.otherIssuer)] = .success(
            .init(try TestVectors.keySet("sets/keys-shared-kid-2"), origin: .network))
        let cards = try ["shared-kid-1", "shared-kid-2", "shared-kid-of-other-issuer"].map {
            try TestVectors.jws("keys/\($0)")
        }
        let bulk = try Self.verifier(.test(), way)
        for _ in 0..<3 { #expect(codes(bulk, cards, evidence) == ["pass", "pass", "signature-invalid"]) }
        for (card, code) in zip(cards, ["pass", "pass", "signature-invalid"]).reversed() {
            #expect(codes(bulk, [card], evidence) == [code])
        }
    }

    /// Claims are made only for the first key with the key ID, so the other keys must be tried too.
    @Test(arguments: Way.possible) func acceptsSignatureOfAnyKeyWithTheKeyID(_ way: Way) throws {
        let sets = [try TestVectors.keys(), try TestVectors.keySet("sets/keys-other-key-under-kid")]
        let card = try TestVectors.card()
        let forged = try TestVectors.jws("signature/payload-changed")
        for set in [JWKSet(merging: sets), JWKSet(merging: sets.reversed())] {
            let bulk = try Self.verifier(.test(), way)
            for _ in 0..<3 {
                #expect(
                    codes(bulk, [card, forged, card], evidence(set)) == ["pass", "signature-invalid", "pass"])
            }
        }
    }

    @Test(arguments: Way.possible) func usesTheIssuersKeyForAHeaderOfTwoIssuers(_ way: Way) throws {
        let other = Payload.jws(Payload.text(["iss": #""https://issuer-b.example/cards""#]))
        let good = try TestVectors.card()
        let header = other.prefix { $0 != UInt8(ascii: ".") }
        let same = Array(header) + Array(good.drop { $0 != UInt8(ascii: ".") })
        let bulk = try Self.verifier(.test(), way)
        let codes = codes(bulk, [good, other, same, good], evidence(try TestVectors.keys()))
        #expect(
            codes == [
                "pass", "keys", header.elementsEqual(good.prefix(header.count)) ? "pass" : "signature-invalid", "pass",
            ])
    }

    /// One verifier gets different keys of the issuer one after the other.
    @Test(arguments: Way.possible) func newEvidenceReplacesOldResults(_ way: Way) throws {
        let bulk = try Self.verifier(.test(), way)
        let card = try TestVectors.card()
        let good = try TestVectors.keys()
        let other = try TestVectors.keySet("sets/keys-other-key-under-kid")
        let compromised = JWKSet(merging: [good, try TestVectors.keySet("sets/keys-private-half-only")])
        for _ in 0..<2 {
            #expect(codes(bulk, [card, card], EvidenceAnswers()) == ["keys", "keys"])
            #expect(codes(bulk, [card, card], evidence(good)) == ["pass", "pass"])
            #expect(codes(bulk, [card], evidence(other)) == ["signature-invalid"])
            #expect(codes(bulk, [card], evidence(compromised)) == ["key-invalid"])
            #expect(codes(bulk, [card], evidence(TestVectors.noKeys, isCurrent: false)) == ["more"])
            #expect(codes(bulk, [card], evidence(TestVectors.noKeys)) == ["key-not-found"])
            var evidence = evidence(good)
            #expect(codes(bulk, [card], evidence) == ["pass"])
            evidence[.keys(TestVectors.issuer)] = .failure(VerificationFailure(.keysUnavailable, "down"))
            #expect(codes(bulk, [card], evidence) == ["keys-unavailable"])
            evidence[.keys(TestVectors.issuer)] = .success(.init(TestVectors.noKeys, origin: .cache, isCurrent: false))
            evidence[.currentKeys(TestVectors.issuer)] = .failure(VerificationFailure(.keysUnavailable, "down"))
            #expect(codes(bulk, [card], evidence) == ["keys-unavailable"])
            evidence[.currentKeys(TestVectors.issuer)] = nil
            #expect(codes(bulk, [card], evidence) == ["more"])
            evidence[.keys(TestVectors.issuer)] = .success(.init(good, origin: .network))
            #expect(codes(bulk, [card], evidence) == ["pass"])
            evidence[.keys(TestVectors.issuer)] = nil
            #expect(codes(bulk, [card], evidence) == ["keys"])
        }
    }

    @Test(arguments: Way.possible) func usesAListThatChangedBetweenCalls(_ way: Way) throws {
        let bulk = try Self.verifier(.test(), way)
        let card = try TestVectors.revocableCard()
        var evidence = evidence(try TestVectors.keysWithList())
        let name = RevocationListName(issuer: TestVectors.issuer, keyID: TestVectors.keyID)
        for _ in 0..<2 {
            evidence[.revocationList(name)] = nil
            #expect(codes(bulk, [card], evidence) == ["more"])
            evidence[.revocationList(name)] = .success(try TestVectors.list("revocation-not-listed"))
            #expect(codes(bulk, [card, card], evidence) == ["pass", "pass"])
            evidence[.revocationList(name)] = .success(try TestVectors.list("revocation-listed"))
            #expect(codes(bulk, [card], evidence) == ["revoked"])
        }
    }

    @Test(arguments: Way.possible) func fullCachesDoNotChangeVerdicts(_ way: Way) throws {
        let bulk = try Self.verifier(.test(keys: try TestVectors.keys()), way)
        let card = try TestVectors.card()
        for round in 0..<3 {
            let others = (0..<700).map { number in
                Payload.jws(
                    Payload.text(["iss": #""https://i\#(round)-\#(number).example""#]),
                    header: #"{"zip":"DEF","alg":"ES256","kid":"\#(round)-\#(number)"}"#)
            }
            #expect(Set(codes(bulk, others, EvidenceAnswers())) == ["key-not-found"])
            #expect(codes(bulk, [card], EvidenceAnswers()) == ["pass"])
        }
    }

    @Test(arguments: Way.possible) func verifiesACardAgainWhenItsEvidenceIsThere(_ way: Way) throws {
        let bulk = try Self.verifier(.test(), way)
        let card = PresentedCredential(jws: try TestVectors.card(), source: "test")
        let examined = bulk.examine(card)
        guard case .needs(let request)? = bulk.verify([examined], with: EvidenceAnswers()).first else {
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

extension Verdict {
    /// The JWS that was verified.
    fileprivate var jws: [UInt8]? { (examined as? ExaminedCard)?.decoded?.jws.text }
    /// The text of its payload.
    fileprivate var payload: [UInt8]? { (examined as? ExaminedCard)?.decoded?.claims.payload.text }
}
