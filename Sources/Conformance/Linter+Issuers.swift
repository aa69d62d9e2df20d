import JSON
import SMARTHealthCards

/// What issuers publish: key sets, revocation lists, directories.
extension Linter {
    /// Looks at a card together with its issuer, at the key that it names and at that key's revocation lists.
    ///
    /// Of the issuer's other keys nothing is said: they are none of this card's business. What several cards of an input
    /// have in common is said once.
    mutating func lint(_ card: CardSubject, in section: Int) {
        for rule in Rule.all {
            if case .card(let check) = rule.check { add(check(card), of: rule, in: card.document, to: section) }
        }
        guard let issuer = card.issuer, let keyID = card.keyID,
            namedKeys.insert(NamedKey(source: card.document.source, issuer: issuer, keyID: keyID)).inserted
        else { return }
        let hasGivenKeys = !policy.givenKeys.sets(for: issuer).isEmpty
        for key in KeySubject.named(by: card) {
            for rule in Rule.all {
                if case .key(let check) = rule.check {
                    add(check(key), of: rule, in: key.document, to: section, isGiven: hasGivenKeys)
                }
            }
        }
        // Those that were given are the first.
        let givenLists = policy.givenLists.count { $0.keyID == keyID }
        for (index, list) in card.lists.enumerated() {
            lint(RevocationListSubject(list, of: card), in: section, isGiven: index < givenLists)
        }
    }

    mutating func lint(_ set: KeySetSubject, in section: Int) {
        for rule in Rule.all {
            switch rule.check {
            case .keySet(let check): add(check(set), of: rule, in: set.document, to: section)
            case .key(let check):
                add(set.keys.flatMap { check($0) }, of: rule, in: set.document, to: section)
            default: break
            }
        }
    }

    mutating func lint(_ list: RevocationListSubject, in section: Int, isGiven: Bool = false) {
        for rule in Rule.all {
            if case .revocationList(let check) = rule.check {
                add(check(list), of: rule, in: list.document, to: section, isGiven: isGiven)
            }
        }
    }

    mutating func lint(_ directory: DirectorySubject, in section: Int) {
        for rule in Rule.all {
            if case .directory(let check) = rule.check {
                add(check(directory), of: rule, in: directory.document, to: section)
            }
        }
    }
}
