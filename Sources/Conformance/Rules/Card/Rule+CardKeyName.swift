import JOSE
import JSON
import SMARTHealthCards

extension Rule {
    /// The card is the issuer's; it says so by the wrong name, and no verifier looks further than the name.
    static let cardKeyName = Rule(
        "issuer-kid-mismatch", "kid", .j1,
        requirement: "The card is signed with the key that its header names.",
        remedy: "Take kid and private key from one place, so that they cannot drift apart.",
        check: .card { card in
            guard case .otherKey(let other) = card.signature, let named = card.keyID else { return [] }
            return [
                Problem(
                    "the card names the key \(named.description.quoted()), and verifies under another of the issuer's, "
                        + other.description.quoted())
            ]
        })
}
