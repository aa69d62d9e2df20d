import JSON

extension Rule {
    static let headerKeys = Rule(
        "key-in-header", "key-members", .j1, severity: .warning,
        requirement: "The header carries no key, and says nowhere to fetch one: keys come from the issuer's key set.",
        remedy: "Leave \"jwk\", \"jku\", \"x5u\" and \"x5c\" out; they cost room and no verifier may use them.",
        check: .header { header in
            ["jwk", "jku", "x5u", "x5c"].compactMap { name in
                header.value?[name].map { Problem("the header has this member", at: $0) }
            }
        })
}
