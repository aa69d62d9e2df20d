import SMARTHealthCards

extension Rule {
    /// A verifier has to look the card up, and may not accept it where it cannot.
    static let cardList = Rule(
        "revocation-error", "list-missing", .r4,
        requirement: "Where a key has \"crlVersion\", its revocation list is published at "
            + "<iss>/.well-known/crl/<kid>.json.",
        remedy: "Publish the list there for anyone, by https; or give it with --crl.",
        check: .card { card in
            guard let failure = card.listFailure else { return [] }
            guard !failure.isUnasked else {
                return [
                    Problem("whether the card is revoked was not checked: \(failure.message)", severity: .unchecked)
                ]
            }
            return [
                Problem(
                    "the key says that it has a revocation list and the card can be looked up in it, but the list "
                        + "cannot be fetched: \(failure.message)")
            ]
        })
}
