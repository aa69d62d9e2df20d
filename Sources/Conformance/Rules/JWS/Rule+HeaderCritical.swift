import JSON

extension Rule {
    static let headerCritical = Rule(
        "jws-header-error", "crit", .rfc(7515, "4.1.11"),
        requirement: "The header names no extensions that a verifier would have to understand.",
        remedy: "Leave \"crit\" out: every verifier has to reject the card.",
        check: .header { header in
            header.value?["crit"].map { [Problem("the header has this member", at: $0)] } ?? []
        })
}
