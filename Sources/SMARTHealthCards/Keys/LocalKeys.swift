package import Credentials
package import Cryptography

/// The keys of an issuer that are known without fetching. They depend only on the policy and the moment.
package struct LocalKeys {
    /// The given keys; nil if there are none.
    package let given: JWKSet?
    /// The keys in directory snapshots that are not outdated; empty if keys were given.
    package let listed: JWKSet
    /// When the oldest of the listed keys were retrieved; nil if that is not known.
    let retrieved: NumericDate?
    /// The snapshots that are too old to rely on.
    let outdated: [IssuerDirectory.Snapshot]
    /// The time range in which all of this remains true.
    let span: ValiditySpan

    /// How far in the future a directory's date of retrieval may be, as a negative age.
    private static let futureTolerance = Duration.seconds(-86_400)

    /// Collects the keys of an issuer. Keys that are known to be compromised are marked as unusable.
    package init(of issuer: Issuer, by policy: CardPolicy) {
        let counterEvidence = policy.counterEvidence
        if let given = policy.keysGiven(for: issuer) {
            self.given = counterEvidence.applied(to: given, of: issuer)
            listed = JWKSet([JWK]())
            retrieved = nil
            outdated = []
            span = ValiditySpan()
            return
        }
        let snapshots = policy.trustedIssuers.snapshots(of: issuer)
        let recent = snapshots.filter { Self.isRecent($0, by: policy) }
        given = nil
        listed = counterEvidence.applied(to: JWKSet(merging: recent.map(\.keySet)), of: issuer)
        retrieved = recent.compactMap(\.retrieved).min()
        outdated = snapshots.filter { !Self.isRecent($0, by: policy) }
        span = Self.span(of: snapshots, by: policy)
    }

    /// Whether a snapshot's keys are recent enough to rely on.
    private static func isRecent(_ snapshot: IssuerDirectory.Snapshot, by policy: CardPolicy) -> Bool {
        guard let limit = policy.maximumDirectoryAge else { return true }
        guard let retrieved = snapshot.retrieved else { return false }
        let age = (policy.listsAreJudgedAt ?? policy.now).sinceEpoch - retrieved.sinceEpoch
        // A date far in the future says nothing about the age of the keys.
        return age <= limit && age > futureTolerance
    }

    /// The time range in which the same snapshots are recent or outdated as now.
    private static func span(of snapshots: [IssuerDirectory.Snapshot], by policy: CardPolicy) -> ValiditySpan {
        var span = ValiditySpan()
        guard let limit = policy.maximumDirectoryAge, policy.listsAreJudgedAt == nil else { return span }
        let turns = snapshots.compactMap(\.retrieved).flatMap { retrieved in
            // Each bound is the last moment before the change, so the change comes just after it.
            [limit, futureTolerance].map { NumericDate(sinceEpoch: retrieved.sinceEpoch + $0 + .nanoseconds(1)) }
        }
        span.narrow(to: turns, around: policy.now)
        return span
    }
}
