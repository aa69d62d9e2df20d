import JSON
import SMARTHealthCards

extension Rule {
    static let issuerMember = Rule(
        "schema-error", "iss", .p1,
        requirement: "The payload has an \"iss\", the issuer's URL as a string.",
        remedy: "Put the issuer's URL there, the one that its key set stands below.",
        check: .payload { payload in
            guard let value = payload.claims?.payload else { return [] }
            guard let issuer = value["iss"] else {
                return [Problem("there is no such member", at: value, member: "iss")]
            }
            return issuer.kind == .string
                ? [] : [Problem("this is of type \(issuer.kind.rawValue), not a string", at: issuer)]
        })
}
