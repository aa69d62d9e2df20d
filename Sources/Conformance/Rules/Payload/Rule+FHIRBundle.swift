import JSON

extension Rule {
    static let fhirBundle = Rule(
        "schema-error", "fhir-bundle", .p2,
        requirement: "\"credentialSubject\" has a \"fhirBundle\", an object.",
        remedy: "Put the FHIR Bundle there.",
        check: .payload { payload in
            guard let subject = payload.value?["vc"]?["credentialSubject"], subject.kind == .object else { return [] }
            guard let bundle = subject["fhirBundle"] else {
                return [Problem("there is no such member", at: subject, member: "fhirBundle")]
            }
            return bundle.kind == .object
                ? [] : [Problem("this is of type \(bundle.kind.rawValue), not an object", at: bundle)]
        })
}
