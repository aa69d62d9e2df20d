import JSON

extension Rule {
    static let credentialSubject = Rule(
        "schema-error", "credential-subject", .p2,
        requirement: "\"vc\" has a \"credentialSubject\", an object.",
        remedy: "Put \"fhirVersion\" and \"fhirBundle\" there.",
        check: .payload { payload in
            guard let credential = payload.value?["vc"], credential.kind == .object else { return [] }
            guard let subject = credential["credentialSubject"] else {
                return [Problem("there is no such member", at: credential, member: "credentialSubject")]
            }
            return subject.kind == .object
                ? [] : [Problem("this is of type \(subject.kind.rawValue), not an object", at: subject)]
        })
}
