extension Rule {
    /// References lead to an entry.
    static let openReference = Rule(
        "fhir-schema-error", "open-reference", .b7,
        requirement: "A Reference.reference is the fullUrl of an entry of the Bundle.",
        remedy: "Add the resource as an entry, or name what is meant in Reference.display.",
        check: .bundle { $0.problems(of: .openReference) })
}
