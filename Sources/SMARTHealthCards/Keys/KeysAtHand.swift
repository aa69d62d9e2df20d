package import Credentials
import Cryptography

/// The keys of issuers that are known without fetching, kept under one policy.
///
/// Merging key sets takes time in proportion to their length, and each set that is made anew imports its keys anew, which takes as long
/// as a third of a verification. Cards choose the issuers, so the number that is kept has a bound. What directories list is kept apart,
/// so that made-up issuers, which only take the room of each other, do not remove it.
package final class KeysAtHand {
    static let maximumCount = 1024

    /// The keys of issuers in directories.
    private var listed: [Issuer: LocalKeys] = [:]
    /// The same of other issuers.
    private var others: [Issuer: LocalKeys] = [:]
    /// The time range in which all that is kept remains true.
    private(set) var span = ValiditySpan()

    /// Keeps nothing yet.
    package init() {}

    /// The keys of an issuer under the policy, which is the same in each call but for its moment: if that changes, `turn(to:)` is called
    /// first.
    package func keys(of issuer: Issuer, by policy: CardPolicy) -> LocalKeys {
        if let known = listed[issuer] ?? others[issuer] { return known }
        let keys = LocalKeys(of: issuer, by: policy)
        span.formIntersection(keys.span)
        if keys.listed.keys.isEmpty, keys.outdated.isEmpty {
            Self.keep(keys, of: issuer, in: &others)
        } else {
            Self.keep(keys, of: issuer, in: &listed)
        }
        return keys
    }

    /// Removes what is not true at a moment.
    func turn(to now: NumericDate) {
        guard !span.contains(now) else { return }
        listed = listed.filter { $0.value.span.contains(now) }
        others = others.filter { $0.value.span.contains(now) }
        span = ValiditySpan()
        for keys in listed.values { span.formIntersection(keys.span) }
        for keys in others.values { span.formIntersection(keys.span) }
    }

    private static func keep(_ keys: LocalKeys, of issuer: Issuer, in kept: inout [Issuer: LocalKeys]) {
        if kept.count >= maximumCount, kept[issuer] == nil { kept = [:] }
        kept[issuer] = keys
    }
}
