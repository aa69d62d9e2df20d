import JSON

extension Rule {
    static let credentialContext = Rule(
        "schema-error", "vc-context", .p1, severity: .warning,
        requirement: "\"vc\" has no \"@context\": the framework leaves it out to save room.",
        remedy: "Leave \"@context\" out.",
        check: .payload { payload in
            payload.value?["vc"]?["@context"].map { [Problem("\"vc\" has this member", at: $0)] } ?? []
        })
}
