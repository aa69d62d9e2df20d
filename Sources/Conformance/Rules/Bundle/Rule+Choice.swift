extension Rule {
    /// A choice has one type.
    static let choice = Rule(
        "fhir-schema-error", "choice-of-types", .fhir("formats"),
        requirement: "Of an element with a choice of types, such as occurrence[x], one type is present.",
        remedy: "Keep the one that says it best, and leave the others out.",
        check: .bundle { $0.problems(of: .choice) })
}
