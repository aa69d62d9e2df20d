import JSON
import SMARTHealthCards

extension Rule {
    /// Depends on the day.
    static let notYetValid = Rule(
        "not-yet-valid", "nbf-future", .p3, severity: .warning,
        requirement: "A card is valid from \"nbf\" on; no clock skew is granted.",
        remedy: "Take the time of signing, by a clock that is right; some issuers go a minute back.",
        check: .payload { payload in
            guard let value = payload.value?["nbf"], let date = payload.claims?.issued,
                NumericDate.range.contains(date),
                date > payload.policy.now
            else { return [] }
            return [Problem("the card is valid from \(date), and it is \(payload.policy.now)", at: value)]
        })
}
