extension Rule {
    /// Codes are of the list that they are bound to.
    static let requiredCode = Rule(
        "fhir-schema-error", "code", .fhir("terminologies"),
        requirement: "A code with a required binding is one of the codes of its value set.",
        remedy: "Use one of the codes that the definition lists; they are case-sensitive.",
        check: .bundle { $0.problems(of: .code) })
}
