import Credentials
import TestSupport
import Testing

@testable import Cryptography
@testable import SMARTHealthCards

/// The answer to a claim about a signature counts only for the card with this signature.
@Suite struct PreverifiedSignatureTests {
    private let good: ExaminedCard
    private let forged: ExaminedCard
    private let setting: VerificationSetting
    private let keyStatus: KeyStatus

    init() throws {
        good = try ExaminedCard(jws: TestVectors.card())
        forged = try ExaminedCard(jws: TestVectors.jws("signature/payload-changed"))
        setting = VerificationSetting(
            policy: .test(keys: try TestVectors.keys()), evidence: EvidenceAnswers(), statuses: KeyStatusCache())
        _ = CardChecks.step(of: good, in: setting)
        keyStatus = try #require(setting.knownStanding(of: good))
    }

    /// The reason code of a card with this claim about its signature, or "pass".
    private func reason(_ card: ExaminedCard, _ claim: SignatureClaim?) throws -> String {
        let key = PreverifiedSignature(keyStatus: keyStatus, claim: claim)
        return try CardChecks.step(of: card, in: setting, key: key).verdict().reason?.code.rawValue ?? "pass"
    }

    private func claim(of card: ExaminedCard, _ answer: SignatureClaim.Answer) throws -> SignatureClaim {
        var claim = try #require(keyStatus.claim(of: card))
        claim.answer = answer
        return claim
    }

    @Test func ignoresAnswersAboutOtherCards() throws {
        for answer in [SignatureClaim.Answer.open, .confirmed, .refused] {
            #expect(try reason(good, try claim(of: forged, answer)) == "pass")
            #expect(try reason(forged, try claim(of: good, answer)) == "signature-invalid")
        }
    }

    @Test func verifiesOpenClaimsWithEVP() throws {
        for claim in [nil, try claim(of: good, .open)] { #expect(try reason(good, claim) == "pass") }
        for claim in [nil, try claim(of: forged, .open)] { #expect(try reason(forged, claim) == "signature-invalid") }
    }

    /// A wrong answer about a good card cannot occur. Here it shows that the answer is used, and that EVP does not verify again.
    @Test func usesAnswersAboutTheCard() throws {
        #expect(try reason(good, try claim(of: good, .confirmed)) == "pass")
        #expect(try reason(good, try claim(of: good, .refused)) == "signature-invalid")
    }

    @Test func ignoresAnswersAboutOtherKeysOrTexts() throws {
        let whole = try claim(of: forged, .confirmed)
        let other = try #require(keyStatus.claim(of: good))
        let key = try P256PublicKey(x: whole.key.x, y: whole.key.y)
        let signature = try ES256Signature(whole.signature.bytes.reversed())
        for var claim in [
            SignatureClaim(signature: whole.signature, key: key, message: whole.message),
            SignatureClaim(signature: whole.signature, key: whole.key, message: other.message),
            SignatureClaim(signature: signature, key: whole.key, message: whole.message),
            SignatureClaim(signature: whole.signature, key: whole.key, message: whole.message.dropLast()),
        ] {
            claim.answer = .confirmed
            #expect(try reason(forged, claim) == "signature-invalid")
        }
    }

    @Test func unknownKeysHaveNoStanding() throws {
        let fresh = VerificationSetting(
            policy: .test(keys: try TestVectors.keys()), evidence: EvidenceAnswers(), statuses: KeyStatusCache())
        #expect(fresh.knownStanding(of: good) == nil)
        let malformed = try ExaminedCard(jws: Array("eyJ.e.e".utf8))
        #expect(setting.knownStanding(of: malformed) == nil && keyStatus.claim(of: malformed) == nil)
    }

    /// Cards with made-up key IDs do not remove the status of a key whose revocation list takes long to read.
    @Test func madeUpKeyIDsDoNotRemoveListedKeys() throws {
        var policy = CardPolicy.test()
        policy.isOffline = true
        policy.trustedIssuers.add(try IssuerDirectory(VectorFiles.bytes("directories/directory-snapshot-revoked.json")))
        let statuses = KeyStatusCache()
        let setting = VerificationSetting(policy: policy, evidence: EvidenceAnswers(), statuses: statuses)
        let name = KeyName(issuer: TestVectors.issuer, keyID: TestVectors.keyID)
        let listed = try KeyResolver.keyStatus(of: name, in: setting)
        #expect(listed.lists.hasListed)
        let atHand = statuses.atHand.keys(of: name.issuer, by: policy)
        for number in 0...KeyStatusCache.maximumCount {
            let issuer = number.isMultiple(of: 2) ? name.issuer : Issuer(unchecked: "https://\(number).example")
            let other = KeyName(issuer: issuer, keyID: KeyID("\(number)"))
            #expect(try !KeyResolver.keyStatus(of: other, in: setting).lists.hasListed)
        }
        #expect(statuses.keyStatus(of: name, with: setting.evidence) === listed)
        #expect(statuses.atHand.keys(of: name.issuer, by: policy).listed.identity === atHand.listed.identity)
    }
}
