extension Rule {
    /// Narratives are plain XHTML.
    static let narrativeContent = Rule(
        "fhir-schema-error", "narrative", .fhir("narrative"),
        requirement:
            "A narrative's div is one well-formed div element of XHTML, with content, without scripts and forms.",
        remedy: "Mend the XHTML, or leave the narrative out.",
        check: .bundle { $0.problems(of: .narrative) })
}
