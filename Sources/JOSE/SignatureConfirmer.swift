/// Confirms signatures for one thread, with the tables that all threads share.
///
/// It may only confirm. What is not confirmed has to be asked of `P256PublicKey.isValid`, whose answer stands.
package final class SignatureConfirmer {
    private struct Known {
        /// Held, so that nothing else has its identity.
        let key: P256PublicKey
        var table: P256KeyTable?
        /// Valid signatures that the shared tables have not been told of.
        var news = 0
    }

    private let confirmation: SignatureConfirmation
    private let tables: KeyTables
    private var known: [ObjectIdentifier: Known] = [:]

    /// How many keys are remembered; past it the memory starts anew.
    private static let maximumKnown = 4096
    /// How many valid signatures are told of at a time.
    private static let reportSize = 50

    /// Nil where libcrypto lacks what this needs.
    ///
    /// - Parameter tables: shared by all threads of a run.
    package init?(tables: KeyTables) {
        guard let confirmation = SignatureConfirmation() else { return nil }
        self.confirmation = confirmation
        self.tables = tables
    }

    /// Confirms the claims that it can. One that stays as it was is not refuted.
    package func confirm(_ claims: inout [SignatureClaim?]) {
        if known.count > Self.maximumKnown { known = [:] }
        let places = claims.indices.filter { claims[$0] != nil }
        let confirmed = confirmation.confirm(
            claims.compactMap { claim in
                claim.map {
                    DigestClaim(
                        signature: $0.signature, key: $0.key, digest: SHA256.digest($0.message),
                        table: known[ObjectIdentifier($0.key)]?.table)
                }
            })
        for (place, isConfirmed) in zip(places, confirmed) where isConfirmed {
            claims[place]?.isConfirmed = true
            if let key = claims[place]?.key { count(key) }
        }
    }

    private func count(_ key: P256PublicKey) {
        var entry = known[ObjectIdentifier(key)] ?? Known(key: key)
        if entry.table == nil {
            entry.news += 1
            if entry.news >= Self.reportSize {
                entry.table = tables.add(entry.news, to: key)
                entry.news = 0
            }
        }
        known[ObjectIdentifier(key)] = entry
    }
}
