import JSON

extension Rule {
    static let credentialType = Rule(
        "schema-error", "credential-type", .p1, severity: .warning,
        requirement: "\"vc.type\" leaves \"VerifiableCredential\" out: the framework does so to save room.",
        remedy: "Leave \"VerifiableCredential\" out.",
        check: .payload { payload in
            (payload.value?["vc"]?["type"]?.elements.map { Array($0) } ?? [])
                .filter { $0.isString("VerifiableCredential") }.prefix(1)
                .map { Problem("\"VerifiableCredential\" is among the types", at: $0) }
        })
}
