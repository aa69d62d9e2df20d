extension Rule {
    /// Nothing is empty.
    static let emptyValue = Rule(
        "fhir-schema-error", "empty", .fhir("json"),
        requirement:
            "Strings, arrays and objects are not empty, and nothing is null but what stands for a primitive with extensions alone.",
        remedy: "Leave the member out.",
        check: .bundle { $0.problems(of: .empty) })
}
