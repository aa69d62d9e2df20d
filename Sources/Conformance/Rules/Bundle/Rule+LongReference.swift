extension Rule {
    /// References are short.
    static let longReference = Rule(
        "fhir-schema-error", "long-reference", .b7,
        requirement: "A Reference.reference is of the form resource:0, a number without leading zeros.",
        remedy: "Write the fullUrl of the entry that is meant; a name alone belongs into Reference.display.",
        check: .bundle { $0.problems(of: .longReference) })
}
