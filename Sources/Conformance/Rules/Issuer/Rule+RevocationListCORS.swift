import SMARTHealthCards

extension Rule {
    /// Pages of every origin may read the revocation lists.
    static let revocationListCORS = Rule(
        "issuer-key-wellknown-endpoint-cors", "revocation-list", .r2,
        requirement: "A revocation list can be read by verifiers that run in a browser, as the key set can.",
        remedy: "Send \"Access-Control-Allow-Origin: *\" with each list below /.well-known/crl/.",
        check: .issuer { subject in
            subject.lists.compactMap { list in
                list.answer.published.flatMap { corsProblem(in: $0, origin: subject.answers.origin, of: list.name) }
            }
        })
}
