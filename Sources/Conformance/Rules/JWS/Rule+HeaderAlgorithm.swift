import JOSE
import JSON
import SMARTHealthCards

extension Rule {
    static let headerAlgorithm = Rule(
        "jws-header-error", "alg", .j1,
        requirement: "The header has \"alg\": \"ES256\".",
        remedy: "Sign with ES256, and say so in the header before it is signed.",
        check: .header { header in
            guard let value = header.value, value.kind == .object else { return [] }
            guard let found = value["alg"] else {
                return [Problem("there is no such member", at: value, member: "alg")]
            }
            return found.isString("ES256") ? [] : [Problem("this is \(found.excerpt)", at: found)]
        })
}
