extension Rule {
    /// What may repeat is an array, and nothing else is.
    static let cardinality = Rule(
        "fhir-schema-error", "array", .fhir("json"),
        requirement: "An element that may repeat is an array, even of one value; an element that may not is no array.",
        remedy: "Put the value into an array, or take it out of one.",
        check: .bundle { $0.problems(of: .cardinality) })
}
