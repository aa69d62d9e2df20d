import JSON

extension Rule {
    static let fhirVersion = Rule(
        "schema-error", "fhir-version", .p2,
        requirement: "\"credentialSubject\" has a \"fhirVersion\", a string such as \"4.0.1\".",
        remedy: "Write the FHIR version that the Bundle follows.",
        check: .payload { payload in
            guard let subject = payload.value?["vc"]?["credentialSubject"], subject.kind == .object else { return [] }
            guard let version = subject["fhirVersion"] else {
                return [Problem("there is no such member", at: subject, member: "fhirVersion")]
            }
            return version.kind == .string
                ? [] : [Problem("this is of type \(version.kind.rawValue), not a string", at: version)]
        })
}
