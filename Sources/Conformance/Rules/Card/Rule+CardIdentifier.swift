import JSON
import SMARTHealthCards

extension Rule {
    /// The issuer means to revoke cards and could not revoke this one.
    static let cardIdentifier = Rule(
        "revocation-error", "no-rid", .r5, severity: .warning,
        requirement: "Cards of a key that has a revocation list carry \"vc.rid\".",
        remedy: "Give each card a vc.rid of at most 24 base64url characters, or leave crlVersion out of the key.",
        check: .card { card in
            guard card.hasListVersion, let claims = card.claims, claims.payload["vc"]?["rid"] == nil else { return [] }
            return [Problem("the card has no \"rid\", and its key has a revocation list, which could not name it")]
        })
}
