import JOSE
import JSON

extension Rule {
    /// What a parser trips over, whatever the key is for.
    static let keyMembers = Rule(
        "invalid-key-schema", "members", .rfc(7517, "4"),
        requirement: "The members of a key that have a meaning are of the JSON type that RFC 7517 and RFC 7518 "
            + "give them.",
        remedy: "Write kty, kid, use, alg, crv, x and y as strings, key_ops as an array of strings.",
        check: .key { key in
            var problems: [Problem] = []
            for name in ["kty", "kid", "use", "alg", "crv", "x", "y", "x5u", "x5t", "x5t#S256"] {
                guard let member = key.value[name], member.kind != .string else { continue }
                problems.append(Problem(#"the key's "\#(name)" is a string, this is \#(member.excerpt)"#, at: member))
            }
            if let operations = key.value["key_ops"] {
                if let element = operations.elements?.first(where: { $0.kind != .string }) {
                    problems.append(Problem(#""key_ops" holds strings, this is \#(element.excerpt)"#, at: element))
                } else if operations.kind != .array {
                    problems.append(
                        Problem(#"the key's "key_ops" is an array, this is \#(operations.excerpt)"#, at: operations))
                }
            }
            return problems
        })
}
