extension Rule {
    /// Members with an underscore extend primitives.
    static let primitiveExtension = Rule(
        "fhir-schema-error", "primitive-extension", .fhir("json"),
        requirement: "A member _name holds the id and extensions of the primitive name, in an array where that is one.",
        remedy:
            "Put extensions of an object into it, and those of a primitive into an object of the form of FHIR's Element.",
        check: .bundle { $0.problems(of: .primitiveExtension) })
}
