extension Rule {
    /// Resources have no id.
    static let resourceID = Rule(
        "fhir-schema-error", "resource-id", .b1,
        requirement: "Resources have no id.",
        remedy: "Leave the id out; entries are referred to by their fullUrl.",
        check: .bundle { $0.problems(of: .resourceID) })
}
