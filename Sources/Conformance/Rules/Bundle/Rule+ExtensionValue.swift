extension Rule {
    /// An extension has a value, or extensions.
    static let extensionValue = Rule(
        "fhir-schema-error", "extension", .fhir("extensibility"),
        requirement: "An extension has either a value or extensions of its own, not both.",
        remedy: "Keep one of the two; leave an extension without either out.",
        check: .bundle { $0.problems(of: .extension) })
}
