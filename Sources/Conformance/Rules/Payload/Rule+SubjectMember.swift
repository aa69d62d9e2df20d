import JSON

extension Rule {
    static let subjectMember = Rule(
        "schema-error", "subject-member", .p2, severity: .warning,
        requirement: "\"credentialSubject\" has no members but \"fhirVersion\" and \"fhirBundle\".",
        remedy: "Leave the member out; what it says belongs into the Bundle.",
        check: .payload { payload in
            guard let members = payload.value?["vc"]?["credentialSubject"]?.members else { return [] }
            return members.compactMap { name, value in
                ["fhirVersion", "fhirBundle"].contains { $0.utf8.elementsEqual(name.utf8) }
                    ? nil : Problem("the framework does not define this member", at: value)
            }
        })
}
