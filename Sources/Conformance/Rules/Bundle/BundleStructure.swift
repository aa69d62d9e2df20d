import Encodings

extension Rule {
    /// The rules of the FHIR Bundle: its structure, what cards leave out, and profiles.
    static let bundleRules: [Rule] =
        [bundleResourceType, bundleEntries, entryResource, bundlePatient] + structureRules + [knownCode]
        + ProfileFile.all.flatMap { $0.rules } + [attestationSignature]

    /// The structure of FHIR R4, and what keeps cards small: the walk of a Bundle finds no problem of a kind.
    private static let structureRules = StructureProblem.Kind.allCases.map { kind in
        Rule("fhir-schema-error/\(kind.rawValue)", RuleCheck.bundle, needing: .structure) { $0.problems(of: kind) }
    }

    // MARK: The Bundle and its entries

    static let bundleResourceType = Rule("fhir-schema-error/bundle", RuleCheck.bundle) { subject in
        guard subject.value.kind == .object else {
            // For a Bundle in a payload, the rule of `fhirBundle` says so.
            return subject.document.layer == .payload
                ? [] : .found("the Bundle is not a JSON object but \(subject.value.described)", at: subject.value)
        }
        guard let type = subject.value["resourceType"], !type.isString("Bundle") else { return [] }
        return .found("`resourceType` of the Bundle is \(type.shown), not \"Bundle\"", at: type)
    }

    static let bundleEntries = Rule("fhir-schema-error/no-entries", RuleCheck.bundle) { subject in
        let entry = subject.value["entry"]
        guard subject.value.kind == .object, entry == nil || entry?.elements?.count == 0 else { return [] }
        return .found("the Bundle has no entries", at: subject.value, member: "entry")
    }

    static let entryResource = Rule("fhir-schema-error/entry-resource", RuleCheck.bundle) { subject in
        subject.entries.filter { $0.resource == nil }
            .map { Problem("an entry of the Bundle has no `resource`", at: $0.entry, member: "resource") }
    }

    static let bundlePatient = Rule("fhir-schema-error/no-patient", RuleCheck.bundle) { subject in
        guard !subject.entries.isEmpty, !subject.entries.contains(where: { $0.isOf("Patient") }) else { return [] }
        return .found("the Bundle has no Patient, so a verifier cannot tell who the holder is", at: subject.value)
    }
}
