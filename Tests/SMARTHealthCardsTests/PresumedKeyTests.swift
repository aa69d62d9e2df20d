import Deflate
import Testing

@testable import JOSE
@testable import SMARTHealthCards

/// What was found out about a signature before its card is judged counts for that card alone.
@Suite struct PresumedKeyTests {
    private let good: ExaminedCard
    private let forged: ExaminedCard
    private let setting: VerificationSetting
    private let standing: KeyStanding

    init() throws {
        good = try ExaminedCard(jws: TestVectors.card())
        forged = try ExaminedCard(jws: TestVectors.jws("signature/payload-changed"))
        setting = VerificationSetting(
            policy: .test(keys: try TestVectors.keys()), evidence: Evidence(), standings: KeyStandings())
        _ = Verification.step(of: good, in: setting)
        standing = try #require(setting.knownStanding(of: good))
    }

    /// The verdict on a card whose key is known to have this said of it.
    private func reason(_ card: ExaminedCard, _ claim: SignatureClaim?) throws -> String {
        let key = PresumedKey(standing: standing, claim: claim)
        return try Verification.step(of: card, in: setting, key: key).verdict().reason?.code.rawValue ?? "pass"
    }

    private func claim(of card: ExaminedCard, _ answer: SignatureClaim.Answer) throws -> SignatureClaim {
        var claim = try #require(standing.claim(of: card))
        claim.answer = answer
        return claim
    }

    @Test func answersOnOtherCardsDoNotCount() throws {
        for answer in [SignatureClaim.Answer.open, .confirmed, .refused] {
            #expect(try reason(good, try claim(of: forged, answer)) == "pass")
            #expect(try reason(forged, try claim(of: good, answer)) == "signature-invalid")
        }
    }

    @Test func openClaimsAreAskedOfEVP() throws {
        for claim in [nil, try claim(of: good, .open)] { #expect(try reason(good, claim) == "pass") }
        for claim in [nil, try claim(of: forged, .open)] { #expect(try reason(forged, claim) == "signature-invalid") }
    }

    /// Nobody who is right says so; that it is heeded shows that EVP is not asked twice.
    @Test func answersOnTheCardCount() throws {
        #expect(try reason(good, try claim(of: good, .confirmed)) == "pass")
        #expect(try reason(good, try claim(of: good, .refused)) == "signature-invalid")
    }

    @Test func answersByOtherKeysOrOverOtherTextsDoNotCount() throws {
        let whole = try claim(of: forged, .confirmed)
        let other = try #require(standing.claim(of: good))
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

    @Test func whatIsNotKnownIsFoundOut() throws {
        let fresh = VerificationSetting(
            policy: .test(keys: try TestVectors.keys()), evidence: Evidence(), standings: KeyStandings())
        #expect(fresh.knownStanding(of: good) == nil)
        let malformed = try ExaminedCard(jws: Array("eyJ.e.e".utf8))
        #expect(setting.knownStanding(of: malformed) == nil && standing.claim(of: malformed) == nil)
    }
}
