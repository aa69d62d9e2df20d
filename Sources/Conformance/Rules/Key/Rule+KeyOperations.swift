import JOSE
import JSON
import SMARTHealthCards

extension Rule {
    /// A key for cards needs no `key_ops`; some libraries write it all the same.
    static let keyOperations = Rule(
        "invalid-key-schema", "key-ops", .rfc(7517, "4.3"),
        requirement: "\"key_ops\" of a key that verifies cards holds \"verify\", nothing twice, and is best left "
            + "out beside \"use\".",
        remedy: "Leave key_ops out, or publish \"key_ops\": [\"verify\"].",
        check: .key { key in
            guard key.isForCards, let operations = key.value["key_ops"], let elements = operations.elements,
                elements.allSatisfy({ $0.kind == .string })
            else { return [] }
            guard elements.contains(where: { $0.isString("verify") }) else {
                return [Problem(#""key_ops" does not hold "verify", so the key may not verify cards"#, at: operations)]
            }
            if Set(elements.compactMap(\.stringBytes)).count < elements.count {
                return [Problem(#""key_ops" holds the same value twice"#, at: operations)]
            }
            if let other = elements.first(where: { !$0.isString("verify") }) {
                return [
                    Problem(
                        #""key_ops" holds \#(other.excerpt); the public half of a signing key serves to verify alone"#,
                        at: other, severity: .warning)
                ]
            }
            guard key.value["use"] != nil else { return [] }
            return [
                Problem(
                    #""key_ops" should not stand beside "use", which says as "#
                        + #"much"#, at: operations, severity: .warning)
            ]
        })
}
