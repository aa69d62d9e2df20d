/// Confirms signatures for one thread, with the tables that all threads share.
///
/// It may only confirm. What is not confirmed has to be asked of `P256PublicKey.isValid`, whose answer stands.
package final class SignatureConfirmer {
    private let confirmation: SignatureConfirmation
    private let tables: KeyTables
    private let hash: SHA256Context
    private var known: [ObjectIdentifier: KnownKey] = [:]

    /// How many keys are remembered; past it the memory starts anew.
    static let maximumKnown = 4096
    /// How many valid signatures are told of at a time.
    private static let reportSize = 50

    /// Nil where libcrypto lacks what this needs.
    ///
    /// - Parameter tables: shared by all threads of a run.
    package init?(tables: KeyTables) {
        guard let confirmation = SignatureConfirmation(), let hash = SHA256Context() else { return nil }
        self.hash = hash
        self.confirmation = confirmation
        self.tables = tables
    }

    /// Confirms the claims that it can. One that stays as it was is not refuted.
    package func confirm(_ claims: inout [SignatureClaim?]) {
        var places: [Int] = []
        var digested: [DigestClaim] = []
        places.reserveCapacity(claims.count)
        digested.reserveCapacity(claims.count)
        for place in claims.indices {
            guard let claim = claims[place], let key = knownKey(claim.key) else { continue }
            var digest = [UInt8](repeating: 0, count: SHA256.digestLength)
            guard hash.digest(claim.message, into: &digest) else { continue }
            places.append(place)
            digested.append(DigestClaim(signature: claim.signature, key: key, digest: digest))
        }
        let confirmed = confirmation.confirm(digested)
        for index in confirmed.indices where confirmed[index] {
            claims[places[index]]?.answer = .confirmed
            count(digested[index].key)
        }
    }

    /// How many keys are remembered.
    var keyCount: Int { known.count }

    private func knownKey(_ key: P256PublicKey) -> KnownKey? {
        // A known key is held, so no other key can have come to its identity.
        if let known = known[ObjectIdentifier(key)] { return known }
        guard let made = confirmation.know(key) else { return nil }
        if known.count >= Self.maximumKnown { known = [:] }
        known[ObjectIdentifier(key)] = made
        return made
    }

    private func count(_ key: KnownKey) {
        guard key.table == nil else { return }
        key.news += 1
        guard key.news >= Self.reportSize else { return }
        key.table = tables.add(key.news, to: key.key)
        key.news = 0
    }
}
