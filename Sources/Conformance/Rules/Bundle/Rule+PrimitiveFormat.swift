extension Rule {
    /// Primitives have their type's format.
    static let primitiveFormat = Rule(
        "fhir-schema-error", "format", .fhir("datatypes"),
        requirement: "A primitive value is of the format that its type has; dates exist.",
        remedy: "Write the value in the format of its type.",
        check: .bundle { $0.problems(of: .format) })
}
