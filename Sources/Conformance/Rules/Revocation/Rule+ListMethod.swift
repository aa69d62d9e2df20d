import JOSE
import JSON
import SMARTHealthCards

extension Rule {
    /// A verifier that does not know the method can conclude nothing from the list.
    static let listMethod = Rule(
        "revocation-error", "method", .r2,
        requirement: "\"method\" of a revocation list is \"rid\".",
        remedy: "Give each card a vc.rid, list cards by it, and write \"method\": \"rid\".",
        check: .revocationList { list in
            guard list.value.kind == .object else { return [] }
            guard let method = list.value["method"] else {
                return [
                    Problem(
                        #"the list has no "method", so nothing can be concluded from "#
                            + #"it"#, at: list.value, member: "method")
                ]
            }
            if list.isOfHashes {
                return [
                    Problem(
                        #""method" is "hash-fhir", which is a draft that few verifiers "#
                            + #"know"#, at: method, severity: .warning)
                ]
            }
            return method.isString("rid")
                ? []
                : [
                    Problem(
                        #""method" is \#(method.excerpt), not "rid": nothing can be concluded from the "#
                            + #"list"#, at: method)
                ]
        })
}
