extension Rule {
    /// Resources have no narrative.
    static let resourceText = Rule(
        "fhir-schema-error", "resource-text", .b3,
        requirement: "Resources have no narrative (DomainResource.text).",
        remedy: "Leave text out.",
        check: .bundle { $0.problems(of: .resourceText) })
}
