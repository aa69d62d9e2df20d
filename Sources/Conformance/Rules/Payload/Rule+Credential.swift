import JSON
import SMARTHealthCards

extension Rule {
    static let credential = Rule(
        "schema-error", "vc", .p1,
        requirement: "The payload has a \"vc\", an object.",
        remedy: "Put \"type\" and \"credentialSubject\" there.",
        check: .payload { payload in
            guard let value = payload.claims?.payload else { return [] }
            guard let credential = value["vc"] else {
                return [Problem("there is no such member", at: value, member: "vc")]
            }
            return credential.kind == .object
                ? [] : [Problem("this is of type \(credential.kind.rawValue), not an object", at: credential)]
        })
}
