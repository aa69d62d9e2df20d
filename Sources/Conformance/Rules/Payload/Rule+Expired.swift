import JSON
import SMARTHealthCards

extension Rule {
    /// Depends on the day, and is no departure from the specification.
    static let expired = Rule(
        "expiration-error", "expired", .p3, severity: .warning,
        requirement: "A verifier rejects a card from \"exp\" on.",
        remedy: "Issue a new card.",
        check: .payload { payload in
            guard let value = payload.value?["exp"], let date = payload.claims?.expires,
                NumericDate.range.contains(date), date <= payload.policy.now
            else { return [] }
            return [Problem("the card expired at \(date), and it is \(payload.policy.now)", at: value)]
        })
}
