import JSON

extension Rule {
    /// Entries have a resource.
    static let entryResource = Rule(
        "fhir-schema-error", "entry-resource", .fhir("bundle"),
        requirement: "An entry has a resource (bdl-5).",
        remedy: "Put the resource into the entry, or leave the entry out.",
        check: .bundle { subject in
            subject.entries.filter { $0.resource == nil }
                .map { Problem("the entry has no resource", at: $0.entry, member: "resource") }
        })
}
