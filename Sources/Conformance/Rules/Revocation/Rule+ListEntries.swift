import JOSE
import JSON

extension Rule {
    /// What cannot be read names no card, and a verifier has to doubt the whole list.
    static let listEntries = Rule(
        "revocation-error", "entry-form", .r3,
        requirement: "An entry of a revocation list is an identifier, or one with a dot and a time in seconds "
            + "since 1970.",
        remedy: "Write \"rid\", or \"rid.1650000000\" where only cards issued before that moment are revoked.",
        check: .revocationList { list in
            list.problems { entry, value in
                guard entry.timestamp != nil, !entry.isTimestamp else { return nil }
                return Problem("what follows the dot in \(value.excerpt) is not a time in whole seconds", at: value)
            }
        })
}
