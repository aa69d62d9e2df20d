import JOSE
import JSON
import SMARTHealthCards

extension Rule {
    /// Members that nobody knows are nobody's business.
    static let listMembers = Rule(
        "revocation-error", "members", .r2,
        requirement: "A revocation list is an object with the key's \"kid\" and the identifiers in an array \"rids\".",
        remedy: "Publish {\"kid\": \"…\", \"method\": \"rid\", \"ctr\": 1, \"rids\": [ … ]} at "
            + "…/.well-known/crl/<kid>.json.",
        check: .revocationList { list in
            guard list.value.kind == .object else {
                return [Problem("the revocation list is not an object but \(list.value.excerpt)", at: list.value)]
            }
            var problems: [Problem] = []
            if let kid = list.value["kid"] {
                if kid.stringBytes?.isEmpty != false {
                    problems.append(Problem(#""kid" is not a key's id but \#(kid.excerpt)"#, at: kid))
                }
            } else {
                problems.append(
                    Problem(#"the list has no "kid", so it is of no key"#, at: list.value, member: "kid"))
            }
            guard let entries = list.value["rids"] else {
                return problems + [Problem(#"the list has no "rids""#, at: list.value, member: "rids")]
            }
            guard let elements = entries.elements else {
                return problems + [Problem(#""rids" is not an array but \#(entries.excerpt)"#, at: entries)]
            }
            return problems
                + elements.lazy.filter { $0.kind != .string }.prefix(Bounds.problems)
                .map { Problem("an entry is a string, this is \($0.excerpt)", at: $0) }
        })
}
