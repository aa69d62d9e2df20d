/// One rule of the specification, and the check that finds violations of it.
///
/// The rules of one subject are in one file below `Rules`, and all of them are in `Rule.all`. `Sources/CData/data/rules.txt` has what they
/// say.
package final class Rule: Sendable {
    /// Code and name: `schema-error/nbf`.
    package let id: String
    /// The code of the findings, such as `schema-error`. Several rules may share one.
    package let code: String
    /// The name, such as `nbf`, which no other rule with the same code has.
    package let name: String
    let check: RuleCheck
    /// What the rule says; nil if it is in `rules.txt`.
    let ownText: RuleText?

    private var text: RuleText { ownText ?? .of(id) }

    /// The severity of a violation, unless a finding has its own.
    package var severity: Severity { text.severity }
    /// The source of the rule.
    package var citation: Citation { text.citation }
    /// What is required, in one or two sentences.
    package var requirement: String { text.requirement }
    /// How to correct a violation: an instruction.
    package var remedy: String { text.remedy }
    /// What the rule checks, in words.
    package var subject: String { check.subject.words }

    /// A rule that says what `rules.txt` has for its ID.
    ///
    /// - Parameters:
    ///   - id: code and name.
    ///   - need: what has to be so that the check can find anything.
    ///   - check: finds violations. A rule without one has findings that `Linter` adds itself.
    init<Subject>(
        _ id: String, _ subject: RuleSubject<Subject>, needing need: RuleNeed = .nothing,
        check: @escaping RuleSubject<Subject>.Check = { _ in [] }
    ) {
        self.id = id
        let parts = id.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1).map { String(Substring($0)) }
        (code, name) = (parts[0], parts[1])
        self.check = subject(needing: need, check)
        ownText = nil
    }

    /// A rule of a profile's file, which says itself what is required.
    init(
        _ code: String, _ name: String, _ citation: Citation, severity: Severity = .error, requirement: String,
        remedy: String, check: RuleCheck
    ) {
        id = "\(code)/\(name)"
        self.code = code
        self.name = name
        self.check = check
        ownText = RuleText(severity: severity, citation: citation, requirement: requirement, remedy: remedy)
    }

    /// All rules, from the outside of a card to its inside, then those of what issuers publish. The order is that of
    /// the findings in reports.
    package static let all: [Rule] =
        inputRules + servedCardRules + carrierRules + linkRules + jwsRules + payloadRules + bundleRules + cardRules
        + keyRules
        + revocationRules
        + directoryRules + issuerRules + hcertRules + trustListRules
}
