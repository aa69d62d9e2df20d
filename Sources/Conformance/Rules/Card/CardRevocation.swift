import Credentials
import Encodings
import SMARTHealthCards

extension Rule {
    /// Verifiers have to look the card up, and must not accept it if they cannot.
    static let cardList = Rule("revocation-error/list-missing", RuleCheck.card) { card in
        guard let failure = card.listFailure else { return [] }
        guard !failure.isUnasked else {
            return .found("it was not checked whether the card is revoked: \(failure.message)", severity: .unchecked)
        }
        return .found(
            "the key of the card has `crlVersion`, but its revocation list cannot be fetched: " + failure.message)
    }

    /// A list may be ahead of the key, but not behind it: verifiers fetch the list because of the key's number.
    static let cardListCounter = Rule("revocation-error/list-behind", RuleCheck.card) { card in
        guard let newest = card.answers.compactMap(\.counter).max(), let wanted = card.listVersions.max(),
            newest < wanted
        else { return [] }
        return .found(
            "the revocation list is outdated: its `ctr` is \(newest), but `crlVersion` of the key is \(wanted)")
    }

    /// A warning: an issuer that publishes the list first, and then the key set, is right to do so.
    static let cardListAhead = Rule("revocation-error/list-ahead", RuleCheck.card) { card in
        guard let newest = card.lists.compactMap(\.counter).max(), let wanted = card.listVersions.max(),
            wanted < newest
        else { return [] }
        return .found("`crlVersion` of the key is \(wanted), but `ctr` of its revocation list is already \(newest)")
    }

    /// A warning: the card itself departs from nothing.
    static let cardRevoked = Rule("revocation-error/revoked", RuleCheck.card) { card in
        guard let identifier = card.claims?.revocationID, let issued = card.claims?.issued else { return [] }
        let isListed = card.lists.contains { list in
            list.defect == nil && list.lists(identifier, issued: issued)
        }
        guard isListed else { return [] }
        return .found("the card is revoked: a revocation list contains its `rid`, \(identifier.quoted(upTo: 40))")
    }

    static let cardIdentifier = Rule("revocation-error/no-rid", RuleCheck.card) { card in
        guard card.hasListVersion, let claims = card.claims, claims.payload["vc"]?["rid"] == nil else { return [] }
        return .found("the card has no `vc.rid`, so the revocation list of its key cannot name it")
    }
}
