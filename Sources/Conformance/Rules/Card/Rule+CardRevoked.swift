import JOSE
import JSON
import SMARTHealthCards

extension Rule {
    /// A warning, since it is not the card that departs from anything.
    static let cardRevoked = Rule(
        "revocation-error", "revoked", .r4, severity: .warning,
        requirement: "A card that is in use is on none of its issuer's revocation lists.",
        remedy: "Issue the holder a new card with another vc.rid, or list the old one with the time of its revocation.",
        check: .card { card in
            guard let identifier = card.claims?.revocationID, let issued = card.claims?.issued else { return [] }
            let isListed = card.lists.contains { list in
                list.defect == nil && list.lists(identifier, issued: issued)
            }
            return isListed
                ? [
                    Problem(
                        "the card is revoked: the issuer's revocation list has its identifier "
                            + "\(identifier.quoted(upTo: 40))")
                ]
                : []
        })
}
