import Credentials
import Cryptography
import Encodings
import SMARTHealthCards
import Testing

/// When a revocation list is requested, and the verdicts that it leads to.
@Suite struct RevocationCheckTests {
    private static let name = RevocationListName(issuer: TestVectors.issuer, keyID: TestVectors.keyID)

    /// The issuer's key set: for each text an entry of the same key, with these members added.
    private func keys(_ members: String...) throws -> JWKSet {
        let entries = members.map { member in
            #"{\#(member)"kty":"EC","kid":"\#(TestVectors.keyID)","crv":"P-256","x":"9unONotsCL7gS55WHD7-4XdSDcBYHUznKdbfBjbjyCM","y":"w7LabdiXpF-coOA_cnRUW6a7ax9ZrPSvreG78oLVSnI"}"#
        }
        return try JWKSet(Array(#"{"keys":[\#(entries.joined(separator: ","))]}"#.utf8))
    }

    private func list(_ members: String, kid: KeyID = TestVectors.keyID) throws -> RevocationList {
        try RevocationList(Array(#"{"kid":"\#(kid)",\#(members)}"#.utf8))
    }

    /// Verifies the card with the identifier `TestRid-1`, or a card without an identifier.
    private func step(
        _ keys: JWKSet, lists: [RevocationList] = [], evidence list: Result<RevocationList, VerificationFailure>? = nil,
        hasIdentifier: Bool = true, isRequired: Bool = false
    ) throws -> VerificationStep {
        var evidence = EvidenceAnswers()
        evidence[.revocationList(Self.name)] = list
        let card = try hasIdentifier ? TestVectors.revocableCard() : TestVectors.card()
        var policy = CardPolicy.test(keys: keys, lists: lists)
        policy.requiresRevocation = isRequired
        return ReferenceVerifier(policy: policy).verify(try ExaminedCard(jws: card), with: evidence)
    }

    private let listing = #""method":"rid","ctr":1,"rids":["TestRid-1"]"#
    private let notListing = #""method":"rid","ctr":1,"rids":["x"]"#

    @Test func keyWithoutCrlVersionNeedsNoList() throws {
        #expect(try step(keys("")).verdict().name == "pass")
    }

    @Test(arguments: ["crlVersion", "use", "alg", "key_ops", "x5c"])
    func readsNullMemberOfAKeyAsAbsentWithAWarning(_ member: String) throws {
        let verdict = try step(keys(#""\#(member)":null,"#)).verdict()
        #expect(verdict.name == "pass")
        #expect(verdict.warnings.map(\.code) == [.nullMember])
    }

    @Test(arguments: [
        (#""crlVersion":1,"#, "1"), (#""crlVersion":"1","#, "1"), (#""crlVersion":0,"#, "0"),
        (#""crlVersion":{},"#, nil),
    ])
    func keyWithCrlVersionNeedsTheList(_ member: String, _ counter: String?) throws {
        let counter = try counter.flatMap { RevocationCounter(try JSONDocument.parse(Array($0.utf8))) }
        #expect(try step(keys(member)).request == .revocationList(Self.name, atLeast: counter))
        // Even if another entry of the key has no `crlVersion`.
        #expect(try step(keys("", member)).request == .revocationList(Self.name, atLeast: counter))
    }

    @Test func cardWithoutIdentifierNeedsNoList() throws {
        // The list is requested, because a list of hashes could name the card. But if it cannot be fetched, the card passes.
        let failure = VerificationFailure(.revocationUnavailable, "no answer")
        let counter = RevocationCounter(try JSONDocument.parse([0x31]))
        #expect(
            try step(keys(#""crlVersion":1,"#), hasIdentifier: false).request
                == .revocationList(Self.name, atLeast: counter),
            "the request is the same as for other cards, so that they share the answer")
        let verdict = try step(keys(#""crlVersion":1,"#), evidence: .failure(failure), hasIdentifier: false).verdict()
        #expect(verdict.name == "pass")
        #expect(verdict.checks.first { $0.name == .revocation }?.status == .skipped)
        // If revocation has to be checked, a list that could name the card must be there.
        let required = try step(
            keys(#""crlVersion":1,"#), evidence: .failure(failure), hasIdentifier: false, isRequired: true
        ).verdict()
        #expect(required.name == "undetermined" && required.reason?.code == .revocationUnavailable)
        #expect(try step(keys(""), hasIdentifier: false, isRequired: true).verdict().name == "pass")
    }

    @Test func cardIsUndeterminedIfItsListIsUnavailable() throws {
        let failure = VerificationFailure(.revocationUnavailable, "no answer")
        let verdict = try step(keys(#""crlVersion":1,"#), evidence: .failure(failure)).verdict()
        #expect(verdict.reason == failure)
        #expect(verdict.name == "undetermined")
    }

    @Test(arguments: [nil, Duration.seconds(7200)])
    func warnsOfAListPastItsFreshness(staleness: Duration?) throws {
        let retrieved = NumericDate(sinceEpoch: .seconds(1_800_000_000))
        for (members, reason) in [(notListing, nil), (listing, .revoked)] as [(String, ReasonCode?)] {
            var list = try list(members)
            list.copy = .init(retrieved: retrieved, staleness: staleness)
            let verdict = try step(keys(#""crlVersion":1,"#), evidence: .success(list)).verdict()
            #expect(verdict.reason?.code == reason)
            #expect(verdict.warnings.map(\.code) == (staleness == nil ? [] : [.staleRevocationList]))
            if let warning = verdict.warnings.first?.message {
                #expect(warning.contains("in the cache, retrieved 2027-01-15T08:00:00Z, is 2 hours past"), "\(warning)")
            }
            let check = verdict.checks.first { $0.name == .revocation }
            #expect(reason != nil || check?.detail.contains("from the cache, retrieved 2027-01-15T08:00:00Z") == true)
        }
    }

    @Test func doesNotUseAListOfAnotherKey() throws {
        let other = try list(notListing, kid: KeyID("other"))
        let verdict = try step(keys(#""crlVersion":1,"#), evidence: .success(other)).verdict()
        #expect(verdict.reason?.code == .revocationUnavailable)
        // A given list of another key is ignored, and the list of this key is still requested.
        #expect(try step(keys(#""crlVersion":1,"#), lists: [other]).request?.list == Self.name)
    }

    @Test func usesAGivenListWithoutCrlVersion() throws {
        #expect(try step(keys(""), lists: [list(listing)]).verdict().reason?.code == .revoked)
        #expect(try step(keys(""), lists: [list(notListing)]).verdict().name == "pass")
    }

    @Test func combinesGivenListsOfOneKey() throws {
        let lists = [try list(notListing), try list(listing)]
        #expect(try step(keys(""), lists: lists).verdict().reason?.code == .revoked)
        #expect(try step(keys(""), lists: lists.reversed()).verdict().reason?.code == .revoked)
        // The key's `crlVersion` is compared with the newest list.
        let newer = try list(#""method":"rid","ctr":5,"rids":[]"#)
        #expect(try step(keys(#""crlVersion":5,"#), lists: [list(notListing), newer]).verdict().name == "pass")
        #expect(try step(keys(#""crlVersion":5,"#), lists: [list(listing), newer]).verdict().reason?.code == .revoked)
    }

    /// A given list takes the place of the issuer's, but a list of hashes says nothing about identifiers.
    @Test func aGivenListOfHashesDoesNotReplaceTheListOfIdentifiers() throws {
        let keys = try keys(#""crlVersion":1,"#)
        #expect(try step(keys, lists: [list(notListing)]).verdict().name == "pass")
        let hashes = try list(#""method":"hash-fhir","ctr":1,"rids":[]"#)
        #expect(hashes.defect == nil)
        #expect(try step(keys, lists: [hashes]).request?.list == Self.name)
    }

    @Test func doesNotIgnoreADefectiveListBesideAGoodOne() throws {
        let bad = try list(#""method":"rid","ctr":1,"rids":[7]"#)
        #expect(try step(keys(""), lists: [list(notListing), bad]).verdict().reason?.code == .revocationUnavailable)
        #expect(try step(keys(""), lists: [list(listing), bad]).verdict().reason?.code == .revoked)
    }

    @Test(arguments: [
        (#""crlVersion":1,"#, true), (#""crlVersion":"1","#, true), (#""crlVersion":0,"#, true),
        (#""crlVersion":2,"#, false),
        (#""crlVersion":"10","#, false), (#""crlVersion":"x","#, false),
        (#""crlVersion":1.0,"#, false), (#""crlVersion":["\u2028"],"#, false), (#""crlVersion":"\#u{1B}","#, false),
    ])
    func doesNotUseAListOlderThanTheKeySays(_ member: String, _ isCurrent: Bool) throws {
        let member = member.replacing("\u{1B}", with: "\\u001b\u{202E}\u{2028}\u{85}")
        let verdict = try step(keys(member), evidence: .success(list(notListing))).verdict()
        #expect(verdict.reason?.code == (isCurrent ? nil : .revocationUnavailable))
    }

    @Test func usesTheNewestOfSeveralCrlVersions() throws {
        let keys = try keys(#""crlVersion":1,"#, #""crlVersion":3,"#)
        let verdict = try step(keys, lists: [list(notListing)]).verdict()
        #expect(verdict.reason?.message.contains("has version 3") == true)
    }

    @Test func listWithoutCounterIsNotKnownToBeCurrent() throws {
        let list = try list(#""method":"rid","rids":[]"#)
        #expect(try step(keys(#""crlVersion":0,"#), lists: [list]).verdict().reason?.code == .revocationUnavailable)
        #expect(try step(keys(""), lists: [list]).verdict().name == "pass")
    }

    @Test func usesAListOfHashesForCardsWithoutIdentifierToo() throws {
        let hashes = try list(#""method":"hash-fhir","ctr":1,"rids":["aaaaaaaaaaa"]"#)
        for hasIdentifier in [true, false] {
            let verdict = try step(keys(""), lists: [hashes], hasIdentifier: hasIdentifier).verdict()
            #expect(verdict.name == "pass")
            #expect(verdict.checks.first { $0.name == .revocation }?.status == .pass)
        }
        let bad = try list(#""method":"hash-fhir","ctr":1,"rids":[7]"#)
        let verdict = try step(keys(""), lists: [bad], hasIdentifier: false).verdict()
        #expect(verdict.reason?.code == .revocationUnavailable)
    }

    @Test(arguments: [("1750000000", true), ("1749999999", false)])
    func comparesAFractionOfNbfWithATimestamp(_ timestamp: String, _ isRevoked: Bool) throws {
        // Issued at 1749999999.9.
        let card = try ExaminedCard(jws: TestVectors.jws("revocation/fraction-before"))
        let list = try list(#""method":"rid","ctr":1,"rids":["TestRid-1.\#(timestamp)"]"#)
        let verdict = try ReferenceVerifier(policy: .test(keys: keys(""), lists: [list])).verify(
            card, with: EvidenceAnswers()
        )
        .verdict()
        #expect(verdict.reason?.code == (isRevoked ? .revoked : nil))
    }
}
