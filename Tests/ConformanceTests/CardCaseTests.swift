import TestSupport
import Testing

@testable import Conformance

/// Lint's findings in examples of other projects, about cards and the documents that issuers publish.
@Suite(.enabled(if: SharedData.isPresent, "\(SharedData.absence)"))
struct CardCaseTests {
    /// The rules that are tested here. Findings of other rules are ignored.
    private static let rules =
        Rule.cardRules + Rule.keyRules + Rule.revocationRules + Rule.directoryRules

    private static let names = [
        "jws-other-issuer", "jws-wrong-kid", "file-unknown-issuer-url", "file-multi", "parameters", "parameters-links",
        "keys-valid", "key-x5c-3", "key-x5c-dns-san", "key-x5c-mismatch", "crl-invalid-method", "crl-too-long-rid",
        "00-d",
        "03-e", "00-not-trusted", "issuer-keys",
    ]

    private static let cases = CardCase.all.filter { each in names.contains { each.id.hasSuffix("/lint/\($0)") } }

    @Test func findsAllCases() {
        #expect(Self.cases.count == Self.names.count)
    }

    @Test(arguments: cases) func findsTheSameAsOtherTools(in each: CardCase) throws {
        let ids = Set(Self.rules.map(\.id))
        let findings = try each.run().filter { ids.contains($0.rule.id) }
        let words = "\(findings.map { "\($0.severity) \($0.rule.id) \($0.path ?? "") \($0.message)" })"
        let codes = Set(findings.map(\.code))
        for code in each.required {
            #expect(code.split(separator: "|").contains { codes.contains(String($0)) }, "\(code) is not in \(words)")
        }
        #expect(codes.isDisjoint(with: each.forbidden), "\(words)")
        let hasErrors = findings.contains { $0.severity == .error }
        #expect(each.exitCodes.contains(hasErrors ? "10" : "0"), "\(words)")
    }
}
