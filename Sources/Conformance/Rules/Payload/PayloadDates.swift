import Credentials
import Encodings
import SMARTHealthCards

extension Rule {
    static let issuedRange = Rule("not-yet-valid/nbf-range", RuleCheck.payload) { payload in
        guard let value = payload.value?["nbf"], let number = value.number else { return [] }
        return dateProblem("nbf", number, at: value).map { [$0] } ?? []
    }

    /// Why a member's number cannot be a date in seconds; nil if it can.
    private static func dateProblem(_ member: String, _ number: JSONNumber, at value: JSONValue) -> Problem? {
        let date = NumericDate(number)
        if let date, NumericDate.range.contains(date) { return nil }
        guard let date, date.isPlausiblyMilliseconds else {
            return Problem("`\(member)` is \(value.excerpt), which is not a time from 1970 to 9999", at: value)
        }
        let meant = NumericDate(sinceEpoch: date.sinceEpoch / 1000)
        return Problem("`\(member)` is \(value.excerpt), which makes sense only in milliseconds (\(meant))", at: value)
    }

    /// A warning, because it depends on the day.
    static let notYetValid = Rule("not-yet-valid/nbf-future", RuleCheck.payload) { payload in
        guard let value = payload.value?["nbf"], let date = payload.claims?.issued,
            NumericDate.range.contains(date),
            date > payload.policy.now
        else { return [] }
        return .found(
            "the card is valid only from \(date) (`nbf`); it was checked for \(payload.policy.now)", at: value)
    }

    static let expiresMember = Rule("schema-error/exp", RuleCheck.payload) { payload in
        guard let date = payload.value?["exp"], date.kind != .number else { return [] }
        return .found("`exp` is not a number but \(date.described)", at: date)
    }

    static let expiresRange = Rule("expiration-error/exp-range", RuleCheck.payload) { payload in
        guard let value = payload.value?["exp"], let number = value.number else { return [] }
        if let problem = dateProblem("exp", number, at: value) { return [problem] }
        guard let issued = payload.claims?.issued, NumericDate.range.contains(issued),
            let expires = NumericDate(number), expires <= issued
        else { return [] }
        return .found("the card expires at \(expires) (`exp`), not later than it becomes valid (\(issued))", at: value)
    }

    /// A warning, because it depends on the day and no requirement is violated.
    static let expired = Rule("expiration-error/expired", RuleCheck.payload) { payload in
        guard let value = payload.value?["exp"], let date = payload.claims?.expires,
            NumericDate.range.contains(date), date <= payload.policy.now
        else { return [] }
        return .found("the card expired at \(date) (`exp`); it was checked for \(payload.policy.now)", at: value)
    }
}
