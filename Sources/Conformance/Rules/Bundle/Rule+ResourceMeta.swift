extension Rule {
    /// Resources have no meta but security labels.
    static let resourceMeta = Rule(
        "fhir-schema-error", "resource-meta", .b2,
        requirement: "Resource.meta has no member but security, for an identity assurance level.",
        remedy: "Leave meta out, or all of it but security.",
        check: .bundle { $0.problems(of: .resourceMeta) })
}
