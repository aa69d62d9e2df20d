extension Rule {
    /// Values are of the JSON kind that the type has.
    static let jsonType = Rule(
        "fhir-schema-error", "json-type", .fhir("json"),
        requirement:
            "Numbers and booleans are JSON numbers and booleans, other primitives strings, and everything else objects.",
        remedy: "Write the value as the kind of JSON value that its type has.",
        check: .bundle { $0.problems(of: .jsonType) })
}
