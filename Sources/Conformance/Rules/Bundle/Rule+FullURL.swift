extension Rule {
    /// Entries have short addresses.
    static let fullURL = Rule(
        "fhir-schema-error", "full-url", .b6,
        requirement: "Every entry has a fullUrl of the form resource:0, a number without leading zeros.",
        remedy: "Number the entries: resource:0, resource:1, and so on.",
        check: .bundle { $0.problems(of: .fullURL) })
}
