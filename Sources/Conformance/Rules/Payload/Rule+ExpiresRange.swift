import JSON
import SMARTHealthCards

extension Rule {
    static let expiresRange = Rule(
        "expiration-error", "exp-range", .p4,
        requirement: "\"exp\" is a date in seconds since 1970 that is later than \"nbf\".",
        remedy: "Compute it in seconds from the time of signing.",
        check: .payload { payload in
            guard let value = payload.value?["exp"], let number = value.number else { return [] }
            if let problem = dateProblem(number, at: value) { return [problem] }
            guard let issued = payload.claims?.issued, NumericDate.range.contains(issued),
                let expires = NumericDate(number), expires <= issued
            else { return [] }
            return [Problem("the card expires at \(expires), before it is valid (\(issued))", at: value)]
        })
}
