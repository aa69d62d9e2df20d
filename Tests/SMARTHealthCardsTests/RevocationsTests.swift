import Credentials
import Cryptography
import Encodings
import SMARTHealthCards
import TestSupport
import Testing

/// Evidence against a card counts from every source. Evidence for a card counts only from sources that vouch for its issuer. The
/// vectors (`against/…`) test the rest of these rules.
@Suite struct RevocationsTests {
    private static let name = RevocationListName(issuer: TestVectors.issuer, keyID: TestVectors.keyID)

    private func directory(_ name: String) throws -> IssuerDirectory {
        try IssuerDirectory(VectorFiles.bytes("directories/\(name).json"))
    }

    /// The source of a folder whose list does not have the issuer, so that it does not vouch for the issuer.
    private func sourceNotVouching(_ name: String) throws -> DirectorySource {
        try DirectorySource(
            list: directory("\(name)/vci-issuers"), snapshot: directory("\(name)/vci_snapshot"))
    }

    private func judge(
        _ card: [UInt8], _ policy: CardPolicy, _ evidence: EvidenceAnswers
    ) throws -> VerificationStep {
        let step = try ReferenceVerifier(policy: policy).verify(ExaminedCard(jws: card), with: evidence)
        // Twice: first without cached results, then with them.
        let bulk = try CardVerifier(policy: policy)
        let presented = PresentedCredential(jws: card, source: "test")
        for _ in 0..<2 {
            switch (try #require(bulk.verify([presented], with: evidence).first), step) {
            case (.verdict(let one), .verdict(let other)): #expect(one.reason == other.reason)
            case (.needs(let one), .needs(let other)): #expect(one == other)
            default: Issue.record("the two verifiers give different results")
            }
        }
        return step
    }

    @Test(arguments: [
        "against-burnt", "against-burnt-under-other-kid", "against-burnt-mirrored", "against-burnt-by-kid",
    ])
    func rejectsKeyWhosePrivateKeyIsInAnyDirectory(_ name: String) throws {
        var evidence = EvidenceAnswers()
        var policy = CardPolicy.test(trusted: [TestVectors.issuer])
        policy.trustedIssuers.add(try sourceNotVouching(name))
        for origin in [KeyOrigin.network, .cache] {
            evidence[.keys(TestVectors.issuer)] = .success(.init(try TestVectors.keys(), origin: origin))
            let verdict = try judge(TestVectors.card(), policy, evidence).verdict()
            #expect(verdict.reason?.code == .keyInvalid)
        }
    }

    /// A published private half makes its key unusable, no matter who publishes it.
    @Test(arguments: [
        ("against-burnt-at-other-issuer", true), ("against-private-half-alone-at-other-issuer", true),
        ("against-burnt-without-issuer", true), ("against-no-private-half-at-other-issuer", false),
        ("against-kid-burnt-at-other-issuer", false),
    ])
    func rejectsKeyWhosePrivateKeyIsInAnEntryOfAnother(_ name: String, _ isBurnt: Bool) throws {
        var policy = CardPolicy.test(keys: try TestVectors.keys(), trusted: [TestVectors.issuer])
        policy.trustedIssuers.add(try directory(name))
        var evidence = EvidenceAnswers()
        evidence[.keys(TestVectors.issuer)] = .success(.init(try TestVectors.keys(), origin: .network))
        let verdict = try judge(TestVectors.card(), policy, evidence).verdict()
        #expect(verdict.reason?.code == (isBurnt ? .keyInvalid : nil))
    }

    /// A server cannot make another issuer's key unusable by publishing a `d` with its point.
    @Test func ignoresPrivateKeyThatAnotherIssuerPublishes() throws {
        var evidence = EvidenceAnswers()
        evidence[.keys(TestVectors.issuer)] = .success(.init(try TestVectors.keys(), origin: .network))
        evidence[.keys(TestVectors.otherIssuer)] = .success(
            .init(try TestVectors.keySet("sets/keys-private-half-only"), origin: .network))
        #expect(try judge(TestVectors.card(), .test(), evidence).verdict().name == "pass")
    }

    @Test func givesNoHintAtACompromisedKey() throws {
        var policy = CardPolicy.test(keys: try TestVectors.keySet("sets/keys-kid-of-another-key"))
        let card = try TestVectors.jws("keys/kid-of-another-key")
        #expect(try judge(card, policy, EvidenceAnswers()).verdict().reason?.message.contains("another key of") == true)
        policy.givenKeys.add(try TestVectors.keySet("sets/keys-private-half-only"), for: TestVectors.otherIssuer)
        #expect(
            try judge(card, policy, EvidenceAnswers()).verdict().reason?.message.contains("another key of") == false)
    }

    @Test func revokesByAGivenListBeforeAnyRequest() throws {
        var policy = CardPolicy.test(keys: try TestVectors.keysWithList(), trusted: [TestVectors.issuer])
        #expect(try judge(TestVectors.revocableCard(), policy, EvidenceAnswers()).request?.list == Self.name)
        policy.trustedIssuers.add(try sourceNotVouching("against-revoked"))
        #expect(try judge(TestVectors.revocableCard(), policy, EvidenceAnswers()).verdict().reason?.code == .revoked)
    }

    /// It can neither replace the list that the issuer publishes, nor add to it.
    @Test func listOfADirectoryWithoutTheIssuerIsNoAnswer() throws {
        var policy = CardPolicy.test(keys: try TestVectors.keysWithList(), trusted: [TestVectors.issuer])
        policy.trustedIssuers.add(try sourceNotVouching("against-not-revoked"))
        #expect(try judge(TestVectors.revocableCard(), policy, EvidenceAnswers()).request?.list == Self.name)
        var evidence = EvidenceAnswers()
        evidence[.revocationList(Self.name)] = .success(try TestVectors.list("revocation-not-listed"))
        #expect(try judge(TestVectors.revocableCard(), policy, evidence).verdict().name == "pass")
        // Its version does not count for the issuer's own list, which is too old here.
        let older = #"{"kid":"\#(TestVectors.keyID)","method":"rid","ctr":0,"rids":[]}"#
        evidence[.revocationList(Self.name)] = .success(try RevocationList(Array(older.utf8)))
        let verdict = try judge(TestVectors.revocableCard(), policy, evidence).verdict()
        #expect(verdict.reason?.code == .revocationUnavailable)
    }

    private func snapshot(keys: String, lists: String) throws -> DirectorySource {
        let text =
            #"{"directory":"d","time":"2026-01-01T00:00:00Z","issuerInfo":[{"issuer":{"iss":"\#(TestVectors.issuer.url)"},"#
            + #""keys":\#(keys),"crls":\#(lists),"lastRetrieved":"2026-01-01T00:00:00Z"}]}"#
        return DirectorySource(try IssuerDirectory(Array(text.utf8)))
    }

    /// A value that is not an array of lists, or a list that does not name its key, may be the list that names the card.
    @Test(arguments: [
        #"{"kid":"K","method":"rid","ctr":1,"rids":["TestRid-1"]}"#, #"[["x"]]"#, #"["x"]"#, "5", #""x""#,
        #"[{"method":"rid","ctr":1,"rids":["TestRid-1"]}]"#, #"[{"kid":5,"method":"rid","ctr":1,"rids":[]}]"#,
        #"[{"kid":null,"method":"rid","ctr":1,"rids":[]}]"#,
    ])
    func listThatCannotBeReadLeavesTheCardUndetermined(_ lists: String) throws {
        var policy = CardPolicy.test(keys: try TestVectors.keys(), trusted: [TestVectors.issuer])
        policy.trustedIssuers.add(
            try snapshot(keys: "[]", lists: lists.replacing("K", with: TestVectors.keyID.description)))
        let verdict = try judge(TestVectors.revocableCard(), policy, EvidenceAnswers()).verdict()
        #expect(verdict.reason?.code == .revocationUnavailable)
        #expect(try judge(TestVectors.card(), policy, EvidenceAnswers()).verdict().name == "pass")
    }

    /// A list in a directory may be out of date. If another can be fetched, it is.
    @Test func outdatedListOfADirectoryIsAnAnswerOnlyOffline() throws {
        let name = TestVectors.keyID
        let lists = #"[{"kid":"\#(name)","method":"rid","ctr":1,"rids":[]}]"#
        var policy = CardPolicy.test(keys: try TestVectors.keysWithList(), trusted: [TestVectors.issuer])
        policy.trustedIssuers.add(
            try snapshot(keys: #"[{"kty":"EC","kid":"\#(name)","crlVersion":2}]"#, lists: lists))
        #expect(try judge(TestVectors.revocableCard(), policy, EvidenceAnswers()).request?.list == Self.name)
        policy.isOffline = true
        let reason = try judge(TestVectors.revocableCard(), policy, EvidenceAnswers()).verdict().reason
        #expect(reason?.code == .revocationUnavailable && reason?.message.contains("has version 2") == true)
    }

    @Test(arguments: ["null", "[]"]) func acceptsDirectoryWithoutLists(_ lists: String) throws {
        var policy = CardPolicy.test(keys: try TestVectors.keys(), trusted: [TestVectors.issuer])
        policy.trustedIssuers.add(try snapshot(keys: "[]", lists: lists))
        #expect(try judge(TestVectors.revocableCard(), policy, EvidenceAnswers()).verdict().name == "pass")
    }

    /// Keys that are given without a `crlVersion` do not hide that another source has one for them.
    @Test func keyHasAListIfAnySourceSaysSo() throws {
        let name = TestVectors.keyID
        var policy = CardPolicy.test(keys: try TestVectors.keys(), trusted: [TestVectors.issuer])
        policy.trustedIssuers.add(
            try snapshot(keys: #"[{"kty":"EC","kid":"\#(name)","crlVersion":1}]"#, lists: "[]"))
        #expect(try judge(TestVectors.revocableCard(), policy, EvidenceAnswers()).request?.list == Self.name)
    }

    @Test(arguments: [("against-defective", "in a directory"), (nil, "that was given")])
    func messageNamesTheDefectiveList(_ name: String?, _ words: String) throws {
        let bad = try TestVectors.list("revocation-number-as-rid")
        var policy = CardPolicy.test(
            keys: try TestVectors.keys(), trusted: [TestVectors.issuer], lists: name == nil ? [bad] : [])
        if let name { policy.trustedIssuers.add(try sourceNotVouching(name)) }
        let reason = try #require(try judge(TestVectors.revocableCard(), policy, EvidenceAnswers()).verdict().reason)
        #expect(reason.code == .revocationUnavailable)
        #expect(reason.message.contains(words) && reason.message.contains("entry 0"))
        // A card without an identifier cannot be in this list.
        #expect(try judge(TestVectors.card(), policy, EvidenceAnswers()).verdict().name == "pass")
    }
}
