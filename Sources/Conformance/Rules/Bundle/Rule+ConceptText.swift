extension Rule {
    /// Concepts have no text.
    static let conceptText = Rule(
        "fhir-schema-error", "concept-text", .b4,
        requirement: "A CodeableConcept has no text.",
        remedy: "Leave text out; verifiers know the names of codes.",
        check: .bundle { $0.problems(of: .conceptText) })
}
