import Credentials
import Cryptography
import Encodings
import SMARTHealthCards
import TestSupport
import Testing

/// The checks and their order.
@Suite struct CardVerifierTests {
    private func verdict(
        _ jws: [UInt8], _ policy: CardPolicy, _ evidence: EvidenceAnswers = EvidenceAnswers(),
        _ location: SourceLocation = #_sourceLocation
    ) throws -> Verdict {
        try ReferenceVerifier(policy: policy).verify(ExaminedCard(jws: jws), with: evidence).verdict(location)
    }

    @Test func passesAGoodCard() throws {
        let verdict = try verdict(TestVectors.card(), .test(keys: TestVectors.keys(), trusted: [TestVectors.issuer]))
        #expect(verdict.verified?.claims.issuer?.description == TestVectors.issuer.url)
        #expect(verdict.checks.map(\.status) == [.pass, .pass, .pass, .pass, .pass, .skipped, .skipped])
        #expect(verdict.issuerTrust == .allowList)
        #expect(verdict.keyOrigin == .jwksFile)
        #expect(verdict.warnings.isEmpty)
    }

    // MARK: Order

    /// At first every check would fail. In each step one more problem is fixed.
    @Test func firstFailedCheckGivesTheReason() throws {
        let forged = try TestVectors.jws("order/signature-before-revocation")
        let malformed = try TestVectors.jws("order/format-before-signature")
        let expired = try TestVectors.jws("order/validity-before-revocation")
        let early = NumericDate(sinceEpoch: .seconds(1_000_000_000))
        let list = try TestVectors.list("revocation-listed")
        let otherKeys = try TestVectors.keySet("sets/keys-other-key-under-kid")
        let elsewhere = [TestVectors.otherIssuer]
        let trusted = [TestVectors.issuer]
        let steps: [(card: [UInt8], policy: CardPolicy, code: ReasonCode, check: Check.Name)] = [
            (
                malformed, .test(now: early, keys: otherKeys, trusted: elsewhere, lists: [list]), .malformedPayload,
                .format
            ),
            (
                forged, .test(now: early, keys: otherKeys, trusted: elsewhere, lists: [list]), .issuerNotTrusted,
                .issuerTrust
            ),
            (forged, .test(now: early, keys: TestVectors.noKeys, trusted: trusted, lists: [list]), .keyNotFound, .key),
            (
                forged, .test(now: early, keys: otherKeys, trusted: trusted, lists: [list]), .signatureInvalid,
                .signature
            ),
            (
                expired, .test(now: early, keys: otherKeys, trusted: trusted, lists: [list]), .signatureInvalid,
                .signature
            ),
            (
                expired, .test(now: early, keys: try TestVectors.keys(), trusted: trusted, lists: [list]), .notYetValid,
                .validity
            ),
            (expired, .test(keys: try TestVectors.keys(), trusted: trusted, lists: [list]), .expired, .validity),
            (
                try TestVectors.revocableCard(), .test(keys: try TestVectors.keys(), trusted: trusted, lists: [list]),
                .revoked,
                .revocation
            ),
        ]
        for step in steps {
            let verdict = try verdict(step.card, step.policy)
            #expect(verdict.reason?.code == step.code)
            #expect(verdict.failedCheck == step.check)
        }
        let last = try verdict(TestVectors.revocableCard(), .test(keys: TestVectors.keys(), trusted: trusted))
        #expect(last.name == "pass")
    }

    // MARK: Requests

    @Test func requestsKeysFirstAndThenTheList() throws {
        let verifier = ReferenceVerifier(policy: .test())
        let examined = try ExaminedCard(jws: TestVectors.revocableCard())
        var evidence = EvidenceAnswers()
        #expect(verifier.verify(examined, with: evidence).request == .keys(TestVectors.issuer))
        evidence[.keys(TestVectors.issuer)] = .success(.init(try TestVectors.keysWithList(), origin: .network))
        let name = RevocationListName(issuer: TestVectors.issuer, keyID: TestVectors.keyID)
        #expect(verifier.verify(examined, with: evidence).request?.list == name)
        evidence[.revocationList(name)] = .success(try TestVectors.list("revocation-not-listed"))
        let verdict = try verifier.verify(examined, with: evidence).verdict()
        #expect(verdict.name == "pass")
        #expect(verdict.keyOrigin == .network)
        #expect(verdict.issuerTrust == .unchecked)
        #expect(verdict.checks.first { $0.name == .issuerTrust }?.status == .skipped)
        evidence[.revocationList(name)] = .success(try TestVectors.list("revocation-listed"))
        #expect(try verifier.verify(examined, with: evidence).verdict().reason?.code == .revoked)
    }

    @Test func requestsNoListForACardThatFailsBefore() throws {
        var evidence = EvidenceAnswers()
        evidence[.keys(TestVectors.issuer)] = .success(.init(try TestVectors.keysWithList(), origin: .cache))
        for name in ["order/signature-before-revocation", "order/validity-before-revocation"] {
            let verdict = try verdict(TestVectors.jws(name), .test(), evidence)
            #expect(verdict.failedCheck != .revocation)
        }
    }

    @Test(arguments: [
        "payload/vc-missing", "order/format-before-signature", "deflate/truncated-in-half", "issuer-url/http",
        "header/crit",
    ])
    func requestsNothingForAMalformedCard(_ name: String) throws {
        #expect(try verdict(TestVectors.jws(name), .test()).reason?.code.exitCode == 10)
    }

    @Test func requestsNothingForAnUntrustedIssuer() throws {
        for issuer in ["https://issuer-a.example/cards/", "https://issuer-a.example/Cards", "https://issuer-a.example"]
        {
            let verdict = try verdict(TestVectors.revocableCard(), .test(trusted: [Issuer(unchecked: issuer)]))
            #expect(verdict.reason?.code == .issuerNotTrusted)
            #expect(verdict.issuerTrust == .untrusted)
            #expect(verdict.keyOrigin == nil)
            let isNear = issuer != "https://issuer-a.example"
            #expect(verdict.reason?.message.contains("differs only in case or in a trailing slash") == isNear)
        }
    }

    @Test func cardIsUndeterminedIfItsKeysAreUnavailable() throws {
        var evidence = EvidenceAnswers()
        evidence[.keys(TestVectors.issuer)] = .failure(VerificationFailure(.keysUnavailable, "the server is down"))
        let verdict = try verdict(TestVectors.card(), .test(), evidence)
        #expect(verdict.name == "undetermined")
        #expect(verdict.reason == VerificationFailure(.keysUnavailable, "the server is down"))
        #expect(verdict.failedCheck == .key)
    }

    // MARK: Keys of issuers

    @Test func doesNotUseKeysOfAnotherIssuer() throws {
        var evidence = EvidenceAnswers()
        evidence[.keys(TestVectors.otherIssuer)] = .success(.init(try TestVectors.keys(), origin: .network))
        let step = ReferenceVerifier(policy: .test()).verify(try ExaminedCard(jws: TestVectors.card()), with: evidence)
        #expect(step.request == .keys(TestVectors.issuer))
    }

    @Test func twoIssuersMayUseOneKeyID() throws {
        let sets = [
            TestVectors.issuer: try TestVectors.keySet("sets/keys-shared-kid-1"),
            TestVectors.otherIssuer: try TestVectors.keySet("sets/keys-shared-kid-2"),
        ]
        var evidence = EvidenceAnswers()
        var policy = CardPolicy.test()
        for (issuer, set) in sets {
            evidence[.keys(issuer)] = .success(.init(set, origin: .network))
            policy.givenKeys.add(set, for: issuer)
        }
        for (name, isGood) in [("shared-kid-1", true), ("shared-kid-2", true), ("shared-kid-of-other-issuer", false)] {
            let card = try TestVectors.jws("keys/\(name)")
            for verdict in [try verdict(card, .test(), evidence), try verdict(card, policy)] {
                #expect(verdict.reason?.code == (isGood ? nil : .signatureInvalid))
            }
        }
    }

    @Test func doesNotUseKeysGivenForAnotherIssuer() throws {
        var policy = CardPolicy.test()
        policy.givenKeys.add(try TestVectors.keys(), for: TestVectors.otherIssuer)
        let examined = try ExaminedCard(jws: TestVectors.card())
        let listed = { () throws -> CardPolicy in
            var listed = policy
            listed.trustedIssuers.allow(TestVectors.issuer)
            return listed
        }
        #expect(
            try ReferenceVerifier(policy: listed()).verify(examined, with: EvidenceAnswers()).request
                == .keys(TestVectors.issuer))
        policy.givenKeys.add(try TestVectors.keys(), for: Issuer(unchecked: "https://Issuer-A.example/cards"))
        #expect(
            try ReferenceVerifier(policy: listed()).verify(examined, with: EvidenceAnswers()).request
                == .keys(TestVectors.issuer))
        // Given keys alone say whom to trust, so nothing is asked of others.
        let refused = try verdict(TestVectors.card(), policy).reason
        #expect(refused?.code == .issuerNotTrusted && refused?.message.contains("differs only in case") == true)
        policy.givenKeys.add(try TestVectors.keys(), for: TestVectors.issuer)
        #expect(
            try ReferenceVerifier(policy: policy).verify(examined, with: EvidenceAnswers()).verdict().issuerTrust
                == .jwks)
    }

    /// An app is no issuer of cards, unless a list or a certificate says so.
    @Test(arguments: [TestVectors.issuer, Issuer(unchecked: TestVectors.issuer.url + "/")])
    func keysOfAnAppSignNoCards(_ app: Issuer) throws {
        var policy = CardPolicy.test()
        policy.apps = [app]
        policy.givenKeys.add(try TestVectors.keys(), for: TestVectors.issuer)
        let refused = try verdict(TestVectors.card(), policy).reason
        #expect(refused?.code == .issuerNotTrusted && refused?.message.contains("patient's app") == true)
        var others = policy
        others.givenKeys.add(try TestVectors.keys())
        #expect(try verdict(TestVectors.card(), others).reason?.code == .issuerNotTrusted)
        policy.trustedIssuers.allow(TestVectors.issuer)
        #expect(try verdict(TestVectors.card(), policy).issuerTrust == .allowList)
    }

    @Test func keysOfAnAppRefuseNobodyElse() throws {
        var evidence = EvidenceAnswers()
        evidence[.keys(TestVectors.issuer)] = .success(.init(try TestVectors.keys(), origin: .network))
        var policy = CardPolicy.test()
        policy.apps = [TestVectors.otherIssuer]
        policy.givenKeys.add(try TestVectors.keys(), for: TestVectors.otherIssuer)
        #expect(try verdict(TestVectors.card(), policy, evidence).issuerTrust == .unchecked)
        policy.requiresTrust = true
        #expect(try verdict(TestVectors.card(), policy, evidence).reason?.code == .issuerNotTrusted)
    }

    @Test func usesGivenKeysInsteadOfPublishedKeys() throws {
        var evidence = EvidenceAnswers()
        evidence[.keys(TestVectors.issuer)] = .success(.init(try TestVectors.keys(), origin: .network))
        let verdict = try verdict(TestVectors.card(), .test(keys: TestVectors.noKeys), evidence)
        #expect(verdict.reason?.code == .keyNotFound)
    }

    @Test func rejectsKeyWhosePrivateKeyIsInAnotherGivenSet() throws {
        var policy = CardPolicy.test(keys: try TestVectors.keys())
        policy.givenKeys.add(try TestVectors.keySet("sets/keys-private-half-only"), for: TestVectors.issuer)
        #expect(try verdict(TestVectors.card(), policy).reason?.code == .keyInvalid)
    }

    /// Any owner of such a key could sign as any of the issuers.
    @Test func keysForEveryIssuerAreNotUsedBesideSeveralTrustedIssuers() throws {
        var policy = CardPolicy.test(trusted: [TestVectors.issuer, TestVectors.otherIssuer])
        policy.givenKeys.add(try TestVectors.keys())
        #expect(policy.hasKeysForSeveralIssuers)
        let examined = try ExaminedCard(jws: TestVectors.card())
        #expect(
            ReferenceVerifier(policy: policy).verify(examined, with: EvidenceAnswers()).request
                == .keys(TestVectors.issuer))
        policy.givenKeys.add(try TestVectors.keys(), for: TestVectors.issuer)
        #expect(try verdict(TestVectors.card(), policy).issuerTrust == .allowList)
    }

    /// An anchor trusts more issuers than the one that is named.
    @Test func keysForEveryIssuerAreNotUsedBesideAnAnchorAndATrustedIssuer() throws {
        var policy = CardPolicy.test(trusted: [TestVectors.issuer])
        policy.givenKeys.add(try TestVectors.keys())
        #expect(try verdict(TestVectors.card(), policy).issuerTrust == .allowList)
        policy.trustedIssuers.anchors = try CertificateAnchors(
            pem: VectorFiles.bytes("certificates/certificates-anchored.pem"))
        let examined = try ExaminedCard(jws: TestVectors.card())
        #expect(
            ReferenceVerifier(policy: policy).verify(examined, with: EvidenceAnswers()).request
                == .keys(TestVectors.issuer))
    }

    @Test func givenKeysDoNotReplaceTrustLists() throws {
        let policy = CardPolicy.test(keys: try TestVectors.keys(), trusted: [TestVectors.otherIssuer])
        #expect(try verdict(TestVectors.card(), policy).reason?.code == .issuerNotTrusted)
    }

    // MARK: Time

    @Test func cardIsValidFromNbfToJustBeforeExp() throws {
        // From 1750000000 to 1750000001.
        let card = try TestVectors.jws("order/validity-before-revocation")
        for (now, code) in [
            ("1749999999.999999999999999999", ReasonCode.notYetValid), ("1750000000", nil),
            ("1750000000.999999999", nil),
            ("1750000001", .expired), ("1750000001.000000000000000001", .expired),
        ] {
            let now = try #require(NumericDate(decimal: now))
            #expect(try verdict(card, .test(now: now, keys: TestVectors.keys())).reason?.code == code)
        }
    }

    /// A card whose issuer took it back before it expired did not just lapse.
    @Test func anExpiredCardThatIsRevokedHasNotLapsed() throws {
        let card = try TestVectors.jws("order/validity-before-revocation")
        let end = NumericDate(sinceEpoch: .seconds(1_750_000_001))
        let expired = try verdict(card, .test(keys: TestVectors.keys()))
        #expect(expired.lapse == .expired(end) && expired.objections.isEmpty)
        let revoked = try verdict(
            card, .test(keys: TestVectors.keys(), lists: [TestVectors.list("revocation-listed")]))
        #expect(revoked.reason?.code == .expired)
        #expect(revoked.lapse == nil && revoked.objections == [.revoked])
    }

    @Test(arguments: [("1750000001", true), ("1750000000", false), ("1749999999", false)])
    func aCardThatEndsWhenItBeginsWasNeverValid(_ end: String, _ wasValid: Bool) throws {
        let signer = try Signer()
        let unsigned = Payload.jws(
            Payload.text(["nbf": "1750000000", "exp": end]), header: #"{"zip":"DEF","alg":"ES256","kid":"A3"}"#)
        let signed = try #require(unsigned.lastIndex(of: UInt8(ascii: ".")))
        let signature = try signer.sign(Array(unsigned[..<signed])).bytes
        let key = TestSupport.Samples.jwkText(x: Base64URL.encode(signer.key.x), y: Base64URL.encode(signer.key.y))
        let verdict = try verdict(
            unsigned[...signed] + Array(Base64URL.encode(signature).utf8),
            .test(keys: JWKSet(Array(#"{"keys":[\#(key)]}"#.utf8))))
        #expect(verdict.reason?.code == .expired)
        #expect((verdict.lapse != nil) == wasValid)
        #expect(verdict.objections == (wasValid ? [] : [.neverValid]))
    }

    @Test func saysThatNbfIsInMilliseconds() throws {
        let verdict = try verdict(TestVectors.jws("time/nbf-milliseconds"), .test(keys: TestVectors.keys()))
        #expect(verdict.reason?.code == .notYetValid)
        #expect(verdict.reason?.message.contains("milliseconds") == true)
    }

    // MARK: Trust

    @Test func requiresAListOrGivenKeysIfTrustIsRequired() throws {
        var policy = CardPolicy.test()
        policy.requiresTrust = true
        let reason = try verdict(TestVectors.card(), policy).reason
        #expect(reason?.code == .issuerNotTrusted)
        #expect(reason?.message.contains("no list of trusted issuers and no keys") == true)
        var given = CardPolicy.test(keys: try TestVectors.keys())
        given.requiresTrust = true
        #expect(try verdict(TestVectors.card(), given).issuerTrust == .jwks)
    }

    @Test func refusesUnlistedIssuersIfThereAreListsForOtherKindsOnly() throws {
        var evidence = EvidenceAnswers()
        evidence[.keys(TestVectors.issuer)] = .success(.init(try TestVectors.keys(), origin: .network))
        var policy = CardPolicy.test()
        #expect(try verdict(TestVectors.card(), policy, evidence).issuerTrust == .unchecked)
        policy.trustedIssuers.refusesUnlisted = true
        #expect(try verdict(TestVectors.card(), policy, evidence).reason?.code == .issuerNotTrusted)
        // Keys that were given say whom to trust.
        policy.givenKeys.add(try TestVectors.keys())
        #expect(try verdict(TestVectors.card(), policy).issuerTrust == .jwks)
    }

    /// An anchor vouches for nobody if everyone can sign with its key.
    @Test func refusesAPathUnderACompromisedAnchor() throws {
        let anchor = try VectorFiles.bytes("certificates/certificates-anchored.pem")
        var policy = CardPolicy.test(keys: try TestVectors.keySet("sets/certificates-anchored"))
        policy.trustedIssuers.anchors = try CertificateAnchors(pem: anchor)
        #expect(try verdict(TestVectors.card(), policy).issuerTrust == .certificate)
        let key = try P256PublicKey(pem: anchor)
        let (x, y) = (Base64URL.encode(key.x), Base64URL.encode(key.y))
        policy.compromisedElsewhere = CompromisedKeys([
            JWK(try Samples.json(#"{"kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(y)","d":"AQ"}"#))
        ])
        #expect(try verdict(TestVectors.card(), policy).reason?.code == .certificateInvalid)
    }

    /// A certificate that was not looked at may vouch for the issuer, so the card is not refused because none does.
    @Test func saysThatNotAllCertificatesWereChecked() throws {
        var policy = CardPolicy.test()
        policy.trustedIssuers.anchors = try CertificateAnchors(
            pem: VectorFiles.bytes("certificates/certificates-anchored.pem"))
        let others = try TestVectors.keySet("sets/certificates-anchored-other-root-before").keys
        let other = try #require(others.first { $0.value["x5c"] != nil })
        let plain = try #require(others.first { $0.value["x5c"] == nil })
        let code = { (count: Int, added: [JWK]) throws in
            policy.givenKeys = GivenKeys()
            policy.givenKeys.add(JWKSet([plain] + Array(repeating: other, count: count) + added))
            return try self.verdict(TestVectors.card(), policy).reason?.code
        }
        let good = try TestVectors.keySet("sets/certificates-anchored").keys
        #expect(try code(Bounds.certifiedEntries - 1, good) == nil)
        #expect(try code(Bounds.certifiedEntries, []) != .keysUnavailable)
        #expect(try code(Bounds.certifiedEntries, good) == .keysUnavailable)
    }

    // MARK: Hints

    @Test func hintsCanBeSwitchedOnAndOff() throws {
        var policy = CardPolicy.test(keys: try TestVectors.keySet("sets/keys-kid-of-another-key"))
        policy.hintsAtOtherKeys = false
        let verifier = try CardVerifier(policy: policy)
        let card = PresentedCredential(jws: try TestVectors.jws("keys/kid-of-another-key"), source: "test")
        for hints in [false, true] {
            verifier.hintsAtOtherKeys = hints
            #expect(verifier.hintsAtOtherKeys == hints)
            let outcome = try #require(verifier.verify([card], with: EvidenceAnswers()).first)
            guard case .verdict(let verdict) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(verdict.reason?.message.contains("does verify with another key") == hints)
        }
    }

    @Test func hintsAtAnotherKeyOfTheIssuer() throws {
        let card = try TestVectors.jws("keys/kid-of-another-key")
        let keys = try TestVectors.keySet("sets/keys-kid-of-another-key")
        let message = try #require(try verdict(card, .test(keys: keys)).reason?.message)
        #expect(message.contains("does verify with another key"))
        // Keys of other types are not tried. After many EC keys, no more keys are tried.
        func set(after others: String) throws -> JWKSet {
            JWKSet(merging: [JWKSet(Array(repeating: JWK(try Samples.json(others)), count: 100)), keys])
        }
        let mixed = try verdict(card, .test(keys: set(after: #"{"kty":"RSA"}"#))).reason
        #expect(mixed?.message.contains("does verify with another key") == true)
        let long = try #require(try verdict(card, .test(keys: set(after: #"{"kty":"EC"}"#))).reason)
        #expect(long.code == .keyNotFound)
        #expect(!long.message.contains("another key of"))
    }

    @Test func warnsOfStaleKeysOnce() throws {
        // With certificates, the keys are looked up twice: for the check of trust and for the check of the key.
        var policy = CardPolicy.test()
        policy.trustedIssuers.anchors = try CertificateAnchors(
            pem: VectorFiles.bytes("certificates/certificates-anchored.pem"))
        var evidence = EvidenceAnswers()
        let keys = try TestVectors.keySet("sets/certificates-anchored")
        evidence[.keys(TestVectors.issuer)] = .success(
            IssuerKeys(keys, origin: .cache, isCurrent: false, staleness: .seconds(7200)))
        let verdict = try verdict(TestVectors.card(), policy, evidence)
        #expect(verdict.issuerTrust == .certificate && verdict.verified != nil)
        #expect(verdict.warnings.map(\.code) == [.staleKeys])
    }
}

/// JSON for tests.
enum Samples {
    static func json(_ text: String) throws -> JSONValue { try JSONDocument.parse(Array(text.utf8)) }
}
