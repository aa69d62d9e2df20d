import JSON

extension Rule {
    /// A Bundle has entries.
    static let bundleEntries = Rule(
        "fhir-schema-error", "no-entries", .p2, severity: .warning,
        requirement: "The Bundle has resources in it.",
        remedy: "Issue a card for what there is a record of.",
        check: .bundle { subject in
            let entry = subject.value["entry"]
            guard subject.value.kind == .object, entry == nil || entry?.elements?.count == 0 else { return [] }
            return [Problem("the Bundle has no entries", at: subject.value, member: "entry")]
        })
}
