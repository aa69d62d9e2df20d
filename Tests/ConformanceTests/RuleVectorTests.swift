import Testing

@testable import Conformance

/// All vectors for lint.
@Suite struct RuleVectorTests {
    @Test(arguments: RuleVector.all) func findsTheExpectedRules(in vector: RuleVector) throws {
        let findings = try vector.run()
        #expect(
            Set(findings.map(\.rule.id)).sorted() == vector.findings,
            "\(findings.map { "\($0.rule.id) \($0.path ?? "") \($0.message)" })")
        for finding in findings { #expect(finding.message.unicodeScalars.allSatisfy { $0.value >= 0x20 }) }
    }
}
