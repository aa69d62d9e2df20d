import Credentials
import Cryptography
import Evidence
import SMARTHealthCards
import TestSupport
import Testing
import Verification

/// The loop that verifies the cards of a run.
struct CredentialVerificationTests {
    /// Keys with the key that has signed the card, under another ID than the card names.
    private static func messages(hinting: Bool) async throws -> [String] {
        let now = NumericDate(sinceEpoch: .seconds(1_780_000_000))
        var policy = VerificationPolicy(VerificationTime(.given(now), madeAt: now))
        policy.requiresTrust = false
        policy.cards.hintsAtOtherKeys = hinting
        let keys = try VectorFiles.bytes("keys/sets/keys-kid-of-another-key.jwks.json")
        policy.cards.givenKeys.add(try JWKSet(keys))
        let jws = try VectorFiles.bytes("cards/keys/kid-of-another-key.jws").filter { $0 > 0x20 }
        var cards = (0..<3).map { PresentedCredential(jws: jws, source: "test#\($0)") }[...]
        let store = EvidenceStore(
            source: IssuerClient(by: nil, limits: .init()), limits: .init(for: policy.cards.trustedIssuers))
        var verification = try CredentialVerification(policy: policy, store: store)
        return try await verification.verdicts(onNextOf: &cards).map { $0.reason?.message ?? "" }
    }

    /// Not only for the first card.
    @Test func hintsStayOffIfThePolicyTurnsThemOff() async throws {
        let hint = "does verify with another key"
        let with = try await Self.messages(hinting: true)
        #expect(with.count == 3 && with.allSatisfy { $0.contains(hint) })
        let without = try await Self.messages(hinting: false)
        #expect(without.count == 3 && without.allSatisfy { !$0.contains(hint) && !$0.isEmpty })
    }
}
