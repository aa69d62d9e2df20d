import JSON

extension Rule {
    static let expiresMember = Rule(
        "schema-error", "exp", .p1,
        requirement: "\"exp\", where there is one, is a number of seconds since 1970.",
        remedy: "Write a JSON number, not a string, or leave it out for a card that does not expire.",
        check: .payload { payload in
            guard let date = payload.value?["exp"], date.kind != .number else { return [] }
            return [Problem("this is of type \(date.kind.rawValue), not a number", at: date)]
        })
}
