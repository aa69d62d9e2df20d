extension Rule {
    /// Required elements are there.
    static let missingElement = Rule(
        "fhir-schema-error", "missing-element", .fhir("conformance-rules"),
        requirement: "An element whose minimum cardinality is 1 is present.",
        remedy: "Add the element.",
        check: .bundle { $0.problems(of: .missingElement) })
}
