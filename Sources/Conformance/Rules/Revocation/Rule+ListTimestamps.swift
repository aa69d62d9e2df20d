import JOSE
import JSON
import SMARTHealthCards

extension Rule {
    /// With a time in milliseconds every card of that identifier is revoked, those issued later included.
    static let listTimestamps = Rule(
        "revocation-error", "timestamp", .r3, severity: .warning,
        requirement: "The time in an entry is one at which cards were issued, in seconds since 1970.",
        remedy: "Write seconds, not milliseconds, and the moment before which the cards that are revoked were issued.",
        check: .revocationList { list in
            list.problems { entry, value in
                guard let moment = entry.moment else { return nil }
                if moment.isPlausiblyMilliseconds {
                    return Problem(
                        "the time in \(value.excerpt) makes sense only in milliseconds "
                            + "(\(NumericDate(milliseconds: moment))); read in seconds it revokes every card of "
                            + "this identifier",
                        at: value)
                }
                if moment < .firstCards {
                    return Problem(
                        "the time in \(value.excerpt), \(moment), is before there were health cards", at: value)
                }
                guard moment.sinceEpoch - list.policy.now.sinceEpoch > .seconds(365 * 86_400) else { return nil }
                return Problem("the time in \(value.excerpt), \(moment), is more than a year ahead", at: value)
            }
        })
}

extension NumericDate {
    /// 2020-01-01T00:00:00Z: no card was issued before.
    fileprivate static let firstCards = NumericDate(sinceEpoch: .seconds(1_577_836_800))
}
