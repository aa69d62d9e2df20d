import JOSE
import JSON
import SMARTHealthCards

extension Rule {
    /// Of keys that are not for cards, too: what was published can no longer be kept secret.
    static let keyPrivate = Rule(
        "invalid-key-private", "private", .k3,
        requirement: "A published key has no private member (\"d\").",
        remedy: "Withdraw the key at once, issue its cards again with a new one, and publish public halves only.",
        check: .key { key in
            if let secret = key.value["d"] {
                return [
                    Problem(
                        #"the key is published with its private half ("d"): anyone can sign cards with it, and it "#
                            + #"has to be withdrawn"#,
                        at: secret)
                ]
            }
            if key.value["kty"]?.isString("oct") == true, let secret = key.value["k"] {
                return [Problem(#"a symmetric key is published ("k"): anyone can use it"#, at: secret)]
            }
            return key.burntObjection.map { [Problem($0.message, at: key.value)] } ?? []
        })
}
