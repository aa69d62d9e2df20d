extension Rule {
    /// Entries have different addresses.
    static let repeatedFullURL = Rule(
        "fhir-schema-error", "repeated-full-url", .fhir("bundle"),
        requirement: "No two entries have the same fullUrl (bdl-7).",
        remedy: "Number the entries again, and the references with them.",
        check: .bundle { $0.problems(of: .repeatedFullURL) })
}
