import Credentials
import Cryptography
import Encodings
import SMARTHealthCards

extension Rule {
    /// Verifiers have to look the card up, and must not accept it if they cannot.
    static let cardList = Rule(
        "revocation-error", "list-missing", "SHC-R4",
        requirement: "The revocation list of a key that has `crlVersion` is published at "
            + "<iss>/.well-known/crl/<kid>.json.",
        remedy: "Publish the list at this address for everyone, or give the list to the verifier.",
        check: .card { card in
            guard let failure = card.listFailure else { return [] }
            guard !failure.isUnasked else {
                return .found(
                    "it was not checked whether the card is revoked: \(failure.message)", severity: .unchecked)
            }
            return .found(
                "the key of the card has `crlVersion`, but its revocation list cannot be fetched: " + failure.message)
        })

    /// A list may be ahead of the key, but not behind it: verifiers fetch the list because of the key's number.
    static let cardListCounter = Rule(
        "revocation-error", "list-behind", "SHC-R4",
        requirement: "The counter `ctr` of a revocation list is not less than `crlVersion` of its key.",
        remedy: "Publish the list before the key set that announces it.",
        check: .card { card in
            guard let newest = card.answers.compactMap(\.counter).max(), let wanted = card.listVersions.max(),
                newest < wanted
            else { return [] }
            return .found(
                "the revocation list is outdated: its `ctr` is \(newest), but `crlVersion` of the key is \(wanted)")
        })

    /// A warning: an issuer that publishes the list first, and then the key set, is right to do so.
    static let cardListAhead = Rule(
        "revocation-error", "list-ahead", "SHC-R4", severity: .warning,
        requirement: "`crlVersion` of a key is equal to the counter `ctr` of its revocation list.",
        remedy:
            "Raise `crlVersion` together with `ctr`. Otherwise, verifiers with an earlier list do not fetch this one.",
        check: .card { card in
            guard let newest = card.lists.compactMap(\.counter).max(), let wanted = card.listVersions.max(),
                wanted < newest
            else { return [] }
            return .found("`crlVersion` of the key is \(wanted), but `ctr` of its revocation list is already \(newest)")
        })

    /// A warning: the card itself departs from nothing.
    static let cardRevoked = Rule(
        "revocation-error", "revoked", "SHC-R4", severity: .warning,
        requirement: "A card that is in use is on none of its issuer's revocation lists.",
        remedy: "Issue the holder a new card with another `rid`, or list the old one with the time of its revocation.",
        check: .card { card in
            guard let identifier = card.claims?.revocationID, let issued = card.claims?.issued else { return [] }
            let isListed = card.lists.contains { list in
                list.defect == nil && list.lists(identifier, issued: issued)
            }
            guard isListed else { return [] }
            return .found("the card is revoked: a revocation list contains its `rid`, \(identifier.quoted(upTo: 40))")
        })

    static let cardIdentifier = Rule(
        "revocation-error", "no-rid", "SHC-R5", severity: .warning,
        requirement: "A card has `vc.rid` if its key has a revocation list.",
        remedy: "Give each card a `vc.rid` of at most 24 base64url characters, or remove `crlVersion` from the key.",
        check: .card { card in
            guard card.hasListVersion, let claims = card.claims, claims.payload["vc"]?["rid"] == nil else { return [] }
            return .found("the card has no `vc.rid`, so the revocation list of its key cannot name it")
        })
}
