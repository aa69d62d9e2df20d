import JSON
import SMARTHealthCards

/// What was written of cards that verified, and is written of every other card of the same key that verifies likewise.
///
/// One thread uses it at a time.
final class PreparedVerdicts {
    /// All that a verdict depends on there: the key with its issuer, the form the card came in, and those checks that may be
    /// skipped.
    private struct Kind: Hashable {
        let standing: ObjectIdentifier
        let input: InputKind?
        let revocation: Check.Status
        let records: Check.Status

        /// Nearly all cards of a key go the same way, so its identity tells kinds apart well enough.
        func hash(into hasher: inout Hasher) { hasher.combine(standing) }
    }

    private struct Entry {
        /// Held, so that no other standing can have come to its identity.
        let standing: KeyStanding
        let members: JSONFragment
    }

    /// How many are remembered; past it the memory starts anew. Longer ones, which an issuer's names may make, are not.
    private static let maximumCount = 1024
    private static let maximumSize = 4096

    private var entries: [Kind: Entry] = [:]
    private let escapesUnprintable: Bool

    /// - Parameter escapesUnprintable: as for the writer that it is for.
    init(escapesUnprintable: Bool) {
        self.escapesUnprintable = escapesUnprintable
    }

    /// The members that `CardJSON.judgement` writes of a verdict; nil if they would not be the same for other cards.
    func members(of verdict: Verdict, by form: CardJSON) -> JSONFragment? {
        guard verdict.verified != nil, !form.hasDetails, let standing = verdict.standing,
            let revocation = verdict.ownStatus(of: .revocation), let records = verdict.ownStatus(of: .records)
        else { return nil }
        let kind = Kind(
            standing: ObjectIdentifier(standing), input: verdict.examined.presented.kind, revocation: revocation,
            records: records)
        if let entry = entries[kind] { return entry.members }
        let members = JSONFragment(escapesUnprintable: escapesUnprintable) { form.judgement(verdict, to: &$0) }
        guard members.size <= Self.maximumSize else { return members }
        if entries.count >= Self.maximumCount { entries = [:] }
        entries[kind] = Entry(standing: standing, members: members)
        return members
    }
}
