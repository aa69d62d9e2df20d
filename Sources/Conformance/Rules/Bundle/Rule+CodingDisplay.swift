extension Rule {
    /// Codings have no display.
    static let codingDisplay = Rule(
        "fhir-schema-error", "coding-display", .b5,
        requirement: "A Coding has no display.",
        remedy: "Leave display out; verifiers know the names of codes.",
        check: .bundle { $0.problems(of: .codingDisplay) })
}
