import JSON
import SMARTHealthCards

extension Rule {
    static let issuedMember = Rule(
        "schema-error", "nbf", .p1,
        requirement: "The payload has an \"nbf\", the date of issue as a number of seconds since 1970.",
        remedy: "Put the time of signing there: a JSON number, not a string.",
        check: .payload { payload in
            guard let value = payload.claims?.payload else { return [] }
            guard let date = value["nbf"] else { return [Problem("there is no such member", at: value, member: "nbf")] }
            return date.kind == .number
                ? [] : [Problem("this is of type \(date.kind.rawValue), not a number", at: date)]
        })
}
