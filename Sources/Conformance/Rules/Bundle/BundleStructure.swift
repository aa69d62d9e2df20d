import Encodings
import SMARTHealthCards

extension Rule {
    /// The rules of the FHIR Bundle: its structure, what cards leave out, and profiles.
    static let bundleRules: [Rule] =
        structureRules + smallnessRules + [knownCode] + guideRules + ProfileFile.all.flatMap(\.rules)
        + [attestationSignature]

    /// The structure of FHIR R4.
    private static let structureRules: [Rule] = [
        bundleResourceType, bundleEntries, entryResource, bundlePatient,
        structure(
            .resourceType, "resource-type", .fhir("json"),
            requirement: "A resource has `resourceType`, which names a resource type of FHIR R4.",
            remedy: "Write the name of the type, such as Patient, in `resourceType`."),
        structure(
            .unknownElement, "unknown-element", .fhir("json"),
            requirement: "Every member of an object is an element of the object's type.",
            remedy: "Remove the member, or use the name that FHIR R4 has for it."),
        structure(
            .jsonType, "json-type", .fhir("json"),
            requirement:
                "Numbers and booleans are JSON numbers and booleans. Other primitives are strings, and complex "
                + "types are objects.",
            remedy: "Write the value as the kind of JSON value that its type requires."),
        structure(
            .cardinality, "array", .fhir("json"),
            requirement:
                "An element that may repeat is an array, even if it has one value. Other elements are not arrays.",
            remedy: "Put the value into an array, or take it out of the array."),
        structure(
            .missingElement, "missing-element", .fhir("conformance-rules"),
            requirement: "An element with a minimum cardinality of 1 is present.", remedy: "Add the element."),
        structure(
            .choice, "choice-of-types", .fhir("formats"),
            requirement: "An element with a choice of types, such as occurrence[x], is present with one type only.",
            remedy: "Keep the type that fits best, and remove the others."),
        structure(
            .format, "format", .fhir("datatypes"),
            requirement: "A primitive value has the format of its type. A date is a day of the calendar.",
            remedy: "Write the value in the format of its type."),
        structure(
            .code, "code", .fhir("terminologies"),
            requirement: "A code with a required binding is one of the codes of its value set.",
            remedy: "Use one of the codes of the value set. Codes are case-sensitive."),
        structure(
            .empty, "empty", .fhir("json"),
            requirement: "Strings, arrays and objects are not empty. `null` occurs only in an array of primitives, for "
                + "one that has only extensions.",
            remedy: "Remove the empty value."),
        structure(
            .primitiveExtension, "primitive-extension", .fhir("json"),
            requirement: "A member whose name begins with _ contains the id and the extensions of the primitive of the "
                + "same name. It is an array if the primitive is one.",
            remedy: "Put the extensions of an object into the object itself, and those of a primitive into a member "
                + "with the form of FHIR's Element."),
        structure(
            .extension, "extension", .fhir("extensibility"),
            requirement: "An extension has either a value or extensions of its own, but not both.",
            remedy: "Keep one of the two. Remove an extension that has neither."),
        structure(
            .contained, "contained", .fhir("references"),
            requirement: "A contained resource does not contain another resource.",
            remedy: "Put both into the outer resource, or better, make them entries of the Bundle."),
        structure(
            .narrative, "narrative", .fhir("narrative"),
            requirement: "The `div` of a narrative is one well-formed XHTML div element that has content, without "
                + "scripts and forms.",
            remedy: "Correct the XHTML, or remove the narrative."),
    ]

    /// What keeps cards small.
    private static let smallnessRules: [Rule] = [
        structure(
            .resourceID, "resource-id", "SHC-B1", requirement: "A resource has no `id`.",
            remedy: "Remove `id`. References use the `fullUrl` of the entry."),
        structure(
            .resourceMeta, "resource-meta", "SHC-B2",
            requirement: "`meta` of a resource has no members other than `security`, for an identity assurance level.",
            remedy: "Remove `meta`, or all of its members except `security`."),
        structure(
            .assuranceLevel, "assurance-level", "SHC-B2", severity: .warning,
            requirement:
                "`meta.security` of a record has an identity assurance level: IAL1, IAL1.2, IAL1.4, IAL2 or IAL3 of "
                + "https://smarthealth.cards/ial.",
            remedy: "Write system and code of the level into `meta.security` of the records, or remove `meta`."),
        structure(
            .resourceText, "resource-text", "SHC-B3", requirement: "A resource has no narrative (DomainResource.text).",
            remedy: "Remove `text` from the resource."),
        structure(
            .conceptText, "concept-text", "SHC-B4", requirement: "A CodeableConcept has no `text`.",
            remedy: "Remove `text`. Verifiers know the names of codes."),
        structure(
            .codingDisplay, "coding-display", "SHC-B5", requirement: "A Coding has no `display`.",
            remedy: "Remove `display`. Verifiers know the names of codes."),
        structure(
            .fullURL, "full-url", "SHC-B6",
            requirement: "Every entry has a `fullUrl` such as resource:0: a number without leading zeros.",
            remedy: "Number the entries: resource:0, resource:1, and so on."),
        structure(
            .repeatedFullURL, "repeated-full-url", .fhir("bundle"),
            requirement: "No two entries have the same `fullUrl` (bdl-7).",
            remedy: "Give each entry a number of its own, and change the references accordingly."),
        structure(
            .longReference, "long-reference", "SHC-B7",
            requirement: "A `reference` has the form resource:0: a number without leading zeros.",
            remedy: "Write the `fullUrl` of the entry. If there is only a name, write it in `display` of the Reference."
        ),
        structure(
            .openReference, "open-reference", "SHC-B7",
            requirement: "A `reference` is the `fullUrl` of an entry of the Bundle.",
            remedy: "Add the resource as an entry, or write its name in `display` of the Reference."),
    ]

    /// The rule that the walk of a Bundle finds no problem of a kind.
    private static func structure(
        _ kind: StructureProblem.Kind, _ name: String, _ citation: Citation, severity: Severity = .error,
        requirement: String, remedy: String
    ) -> Rule {
        Rule(
            "fhir-schema-error", name, citation, severity: severity, requirement: requirement, remedy: remedy,
            check: .bundle(needing: .structure) { $0.problems(of: kind) })
    }

    // MARK: The Bundle and its entries

    static let bundleResourceType = Rule(
        "fhir-schema-error", "bundle", "SHC-P2",
        requirement: "`fhirBundle` is a Bundle resource.",
        remedy: "Put the resources into the entries of a Bundle.",
        check: .bundle { subject in
            guard subject.value.kind == .object else {
                // For a Bundle in a payload, the rule of `fhirBundle` says so.
                return subject.document.layer == .payload
                    ? [] : .found("the Bundle is not a JSON object but \(subject.value.described)", at: subject.value)
            }
            guard let type = subject.value["resourceType"], !type.isString("Bundle") else { return [] }
            return .found("`resourceType` of the Bundle is \(type.shown), not \"Bundle\"", at: type)
        })

    static let bundleEntries = Rule(
        "fhir-schema-error", "no-entries", "SHC-P2", severity: .warning,
        requirement: "The Bundle has entries.",
        remedy: "Add the resources as entries, or issue no card if there is no record.",
        check: .bundle { subject in
            let entry = subject.value["entry"]
            guard subject.value.kind == .object, entry == nil || entry?.elements?.count == 0 else { return [] }
            return .found("the Bundle has no entries", at: subject.value, member: "entry")
        })

    static let entryResource = Rule(
        "fhir-schema-error", "entry-resource", .fhir("bundle"),
        requirement: "Every entry has a resource (bdl-5).",
        remedy: "Put the resource into the entry, or remove the entry.",
        check: .bundle { subject in
            subject.entries.filter { $0.resource == nil }
                .map { Problem("an entry of the Bundle has no `resource`", at: $0.entry, member: "resource") }
        })

    static let bundlePatient = Rule(
        "fhir-schema-error", "no-patient", .vaccinationProfile, severity: .warning,
        requirement: "The Bundle has a Patient, whose name and date of birth identify the holder.",
        remedy: "Add the Patient as an entry, and refer to it.",
        check: .bundle { subject in
            guard !subject.entries.isEmpty, !subject.entries.contains(where: { $0.isOf("Patient") }) else { return [] }
            return .found("the Bundle has no Patient, so a verifier cannot tell who the holder is", at: subject.value)
        })
}
