extension Rule {
    /// Members are elements of the type.
    static let unknownElement = Rule(
        "fhir-schema-error", "unknown-element", .fhir("json"),
        requirement: "Every member of an object is an element of its type.",
        remedy: "Leave the member out, or write it by the name that FHIR R4 has for it.",
        check: .bundle { $0.problems(of: .unknownElement) })
}
