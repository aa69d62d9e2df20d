extension Rule {
    /// Every resource says what it is.
    static let resourceType = Rule(
        "fhir-schema-error", "resource-type", .fhir("json"),
        requirement: "A resource names its type, one of FHIR R4's, in resourceType.",
        remedy: "Write the type's name, such as Patient, in resourceType.",
        check: .bundle { $0.problems(of: .resourceType) })
}
