import Testing
import Verification
import VerificationTesting

@testable import Articles

/// Tests of the function `letsIn` from "Verify whatever a person holds".
@Suite struct GateTests {
    /// Cards of an issuer and certificates of a country that exist only in this test.
    @Test func letsInWhatATrustedKeyHasSigned() async throws {
        let (issuer, country) = (try TestCardIssuer(), try TestHCERTIssuer("AT"))
        var policy = VerificationPolicy()
        policy.trust(issuer)
        try policy.trust(country)
        let verifier = try Verifier(policy)
        let card = try issuer.card()
        #expect(try await letsIn(card.file, by: verifier))
        #expect(try await letsIn(Array(card.qrTexts(count: 3).joined(separator: "\n").utf8), by: verifier))
        #expect(try await letsIn(Array(country.certificate().text.utf8), by: verifier))
        #expect(try await !letsIn(card.forged.file, by: verifier))
        #expect(try await !letsIn(TestCardIssuer().card().file, by: verifier))
        #expect(try await !letsIn(TestCard.file(of: [card, card.forged]), by: verifier))
    }

    /// Keys and lists come from a source in the place of the issuers' servers. One of them does not answer.
    @Test func letsNobodyInWhoWasRevokedOrCannotBeChecked() async throws {
        var issuer = try TestCardIssuer()
        let silent = try TestCardIssuer(Issuer("https://silent.example"))
        var policy = VerificationPolicy()
        for trusted in [issuer, silent] { policy.cards.trustedIssuers.allow(trusted.issuer) }
        issuer.revoke("stolen")
        let verifier = try Verifier(policy, source: TestSource([issuer]))
        #expect(try await letsIn(issuer.card(revocationID: "kept").file, by: verifier))
        #expect(try await !letsIn(issuer.card(revocationID: "stolen").file, by: verifier))
        #expect(try await verifier.verify(silent.card().file, source: "upload").map(\.name) == ["undetermined"])
    }

    /// Code that only shows verdicts is tested with one of each reason.
    @Test(arguments: ReasonCode.allCases) func everyReasonHasWords(_ code: ReasonCode) throws {
        #expect(try TestVerdict.failing(code).reason?.message.isEmpty == false)
        #expect(try TestVerdict.pass().verified != nil)
    }
}
