import Credentials
import Cryptography
import Encodings
import TestSupport
import Testing

@testable import SMARTHealthCards

private let signatures = "wycheproof/json_web_signature_test.json"

/// Cards whose JWS has one mistake, in the form of Project Wycheproof.
@Suite struct JWSEdgeTests {
    private static let rulings: [WycheproofFile.Ruling] = [
        .accepts(
            "UnencodedPayload",
            "Without crit, nobody needs to understand b64. The payload is base64url, and signed as such.")
    ]

    private static func hasPassed(_ step: VerificationStep) throws -> Bool { try step.verdict().verified != nil }

    @Test func agreesOnOurCards() throws {
        let file = try WycheproofFile(edges: "json_web_signature")
        #expect(file.cases.count > 120)
        for group in file.groups {
            let keys = try JWKSet(Array(try #require(group.value["public"]).rawBytes))
            let policy = CardPolicy.test(keys: keys)
            let texts = group.cases.map { $0.text("jws") }
            // All in one go, as `batch` judges them, so that what is kept of one card could change the verdict on another.
            let together = try CardVerifier(policy: policy, precomputation: Precomputation()).verify(
                texts.map { PresentedCredential(jws: $0, source: "test") }, with: EvidenceAnswers())
            try #require(together.count == texts.count)
            for (index, test) in group.cases.enumerated() {
                let expected = try test.isToBeAccepted(Self.rulings)
                let examined = try ExaminedCard(jws: texts[index])
                let alone = ReferenceVerifier(policy: policy).verify(examined, with: EvidenceAnswers())
                #expect(try Self.hasPassed(alone) == expected, "\(test)")
                #expect(try Self.hasPassed(together[index]) == expected, "\(test)")
            }
        }
    }

    /// None of them is a card.
    @Test(.enabled(if: SharedData.isPresent(file: signatures), "\(SharedData.absence(of: signatures))"))
    func noJWSOfWycheproofIsACard() throws {
        for test in try WycheproofFile(shared: signatures).cases {
            #expect(try failure(ofForm: test.text("jws")) != nil, "\(test)")
        }
    }
}
