import JOSE
import SMARTHealthCards

extension Rule {
    /// Lists that are given are taken by their kid, so this is about what an issuer's server answers.
    static let cardListKey = Rule(
        "revocation-error", "list-key", .r2,
        requirement: "\"kid\" of a revocation list is the id of the key that it is published for.",
        remedy: "Publish one list for each key, under the key's own kid.",
        check: .card { card in
            card.lists.filter { $0.keyID != card.keyID }.map { list in
                Problem(
                    "the revocation list that is published for the card's key is of the key "
                        + list.keyID.description.quoted())
            }
        })
}
