import Credentials
import FHIR
import Testing

/// What `shcverify explain` explains. Tests/Sessions/first-line.md has what it answers to words that are nearly right.
@Suite(.timeLimit(.minutes(30))) struct ExplainedWordsTests {
    /// Every word that a report prints for people or in JSON has an explanation.
    @Test func everyWordOfAReportIsExplained() async throws {
        var words =
            Check.Status.allCases.map(\.rawValue) + Check.SkipReason.allCases.flatMap { [$0.rawValue, $0.words] }
        words += (Check.Name.allCases + [.link, .checkIn]).map(\.rawValue) + IssuerTrust.allCases.map(\.rawValue)
        words += KeyOrigin.allCases.map(\.rawValue) + InputForm.allCases.map(\.rawValue)
        words += DisplaySource.allCases.map(\.rawValue) + ["immunization", "laboratory", "recovery", "covid19"]
        words += ["smart-health-card", "eu-digital-covid-certificate", "pass", "fail", "undetermined"]
        words += [
            "issuer-not-checked", "issuer not checked", "revocation-not-checked", "as-of", "As of", "not checked",
            "claimed",
        ]
        words += [
            "NOT VERIFIED", "NOT TRUSTED", "PASS", "FAIL", "UNDETERMINED", "EXPIRED", "REVOKED", "verified-at",
            "made-at",
        ]
        words += ReasonCode.allCases.map(\.rawValue) + CredentialWarning.Code.allCases.map(\.rawValue)
        for word in Set(words) {
            let result = try await Shcverify.run(["explain", word])
            #expect(result.exitCode == 0, "\(word)")
            #expect(result.stdout.split(separator: "\n").count >= 2, "\(word)")
        }
    }
}
