/// One rule of the specification, and the check that finds departures from it.
///
/// The rules of one subject are in one file below `Rules`, and all of them are in `Rule.all`.
package final class Rule: Sendable {
    /// The code of the findings, such as `schema-error`. Several rules may share one.
    package let code: String
    /// The name, such as `nbf`, which no other rule with the same code has.
    package let name: String
    /// The severity of a departure, unless a finding has its own.
    package let severity: Severity
    /// The source of the rule.
    package let citation: Citation
    /// What is required, in one or two sentences.
    package let requirement: String
    /// How to correct a departure: an instruction.
    package let remedy: String
    let check: RuleCheck

    /// Code and name: `schema-error/nbf`.
    package let id: String

    /// What the rule checks, in words.
    package var subject: String { check.subject.words }

    init(
        _ code: String, _ name: String, _ citation: Citation, severity: Severity = .error, requirement: String,
        remedy: String, check: RuleCheck
    ) {
        self.code = code
        self.name = name
        id = "\(code)/\(name)"
        self.severity = severity
        self.citation = citation
        self.requirement = requirement
        self.remedy = remedy
        self.check = check
    }

    /// All rules, from the outside of a card to its inside, then those of what issuers publish. The order is that of
    /// the findings in reports.
    package static let all: [Rule] =
        inputRules + servedCardRules + carrierRules + linkRules + jwsRules + payloadRules + bundleRules + cardRules
        + keyRules
        + revocationRules
        + directoryRules + issuerRules + hcertRules + trustListRules
}
