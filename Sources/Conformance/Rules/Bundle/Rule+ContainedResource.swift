extension Rule {
    /// Contained resources do not contain others.
    static let containedResource = Rule(
        "fhir-schema-error", "contained", .fhir("references"),
        requirement: "A contained resource contains no other resource.",
        remedy: "Contain both in the outer resource, or better make them entries of the Bundle.",
        check: .bundle { $0.problems(of: .contained) })
}
