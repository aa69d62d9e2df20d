import JOSE
import JSON
import SMARTHealthCards

extension Rule {
    /// The form that vc.rid has in a card: what is of another names none.
    static let listIdentifiers = Rule(
        "revocation-error", "entry-rid", .r1,
        requirement: "A revocation identifier is 1 to 24 characters of the base64url alphabet.",
        remedy: "List cards by their vc.rid, at most 24 of A–Z, a–z, 0–9, - and _; never by what tells who the "
            + "holder is.",
        check: .revocationList { list in
            list.problems { entry, value in
                let identifier = entry.revocationID
                if identifier.isEmpty { return Problem("the entry \(value.excerpt) has no identifier", at: value) }
                guard RevocationID.isInAlphabet(identifier) else {
                    return Problem(
                        "the identifier in \(value.excerpt) has characters outside the base64url alphabet", at: value)
                }
                guard identifier.count > Bounds.revocationIDLength else { return nil }
                return Problem(
                    "the identifier in \(value.excerpt) has \(identifier.count) characters, more than "
                        + "\(Bounds.revocationIDLength)",
                    at: value)
            }
        })
}
