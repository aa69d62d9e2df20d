/// Confirms signatures eight at a time with crypto_mb, and the few that are left over with the tables.
///
/// The library is not believed blindly. One of every 1,000 signatures that it confirms, and one of every 1,000 that it does not, is
/// also verified with EVP, at places that nobody can foresee. At the first difference, its use ends for the run, and nothing that it
/// has said in the same call counts: EVP judges all of these signatures.
///
/// The library misses good signatures over a digest of 0, which no message has that anybody could find. It misses no others that are
/// known.
package final class LaneConfirmer: SignatureConfirmer {
    private let lanes: SignatureLanes
    private let group: LaneGroup
    private let hash: SHA256Context
    private let context: VerificationContext
    /// What confirms the signatures that are too few for a group; nil if EVP does.
    private let rest: TableConfirmer?
    private var digest = [UInt8](repeating: 0, count: SHA256.digestLength)
    private var samples: (confirmed: Sampling, unconfirmed: Sampling)

    /// Nil if there is no memory.
    ///
    /// - Parameters:
    ///   - lanes: the library, which all threads of a run share.
    ///   - rest: what confirms signatures that are too few for a group; nil to leave them to EVP.
    package convenience init?(_ lanes: SignatureLanes, rest: TableConfirmer?) {
        self.init(lanes, rest: rest, interval: 1000)
    }

    /// - Parameter interval: of how many answers one is also asked of EVP.
    init?(_ lanes: SignatureLanes, rest: TableConfirmer?, interval: Int) {
        guard let group = LaneGroup(lanes), let hash = SHA256Context(), let context = VerificationContext() else {
            return nil
        }
        self.lanes = lanes
        self.group = group
        self.hash = hash
        self.context = context
        self.rest = rest
        samples = (Sampling(interval), Sampling(interval))
    }

    /// Four groups. As with the tables, their cards must still fit in the processor's cache.
    package let bestCount = 32

    package func confirmed(_ claims: [SignatureClaim?]) -> [Int] {
        guard lanes.isInUse else { return rest?.confirmed(claims) ?? [] }
        var left = claims.indices.filter { claims[$0] != nil }[...]
        var confirmed: [Int] = []
        confirmed.reserveCapacity(left.count)
        while isWorthAGroup(left.prefix(LaneGroup.size), of: claims) {
            guard verify(left.prefix(LaneGroup.size), of: claims, adding: &confirmed) else { return [] }
            left = left.dropFirst(LaneGroup.size)
        }
        let count = confirmed.count
        if let rest, !left.isEmpty {
            var others = [SignatureClaim?](repeating: nil, count: claims.count)
            for place in left { others[place] = claims[place] }
            confirmed += rest.confirmed(others)
        }
        // Counted first: if another thread finds out meanwhile, it sees the count, or this one sees the end.
        lanes.add(count)
        guard lanes.isInUse else {
            // They were not believed.
            lanes.add(-count)
            return []
        }
        return confirmed
    }

    // MARK: Lanes or tables

    /// What verifying takes, in eighths of a call of the library. Measured on an Intel Xeon (Sapphire Rapids) with OpenSSL 3.0: a call
    /// takes 165 µs, whether its lanes are filled or not.
    private enum Cost {
        static let group = 8.0
        /// With the table of the key.
        static let table = 1.2
        /// With the arithmetic of `SignatureConfirmation`, without a table.
        static let plain = 3.7
    }

    /// Whether it takes less time to verify these signatures with a call of the library than otherwise.
    ///
    /// For eight, it always does, even if all keys have tables. So how often a key comes decides only if signatures come in twos and
    /// threes, as in a run that answers each line at once: a key that comes often has a table then.
    private func isWorthAGroup(_ places: ArraySlice<Int>, of claims: [SignatureClaim?]) -> Bool {
        let costs = places.lazy.compactMap { claims[$0] }.map { [rest] in
            rest?.hasTable(of: $0.key) == true ? Cost.table : Cost.plain
        }
        return places.count == LaneGroup.size || costs.reduce(0, +) > Cost.group
    }

    // MARK: Verifying

    /// Verifies a group, and adds the places of the signatures that are confirmed.
    ///
    /// - Returns: false if the library was found to be wrong.
    private func verify(_ places: ArraySlice<Int>, of claims: [SignatureClaim?], adding confirmed: inout [Int]) -> Bool
    {
        var asked: [(place: Int, claim: SignatureClaim)] = []
        var digested: [LaneClaim] = []
        asked.reserveCapacity(places.count)
        digested.reserveCapacity(places.count)
        for place in places {
            guard let claim = claims[place], hash.digest(claim.message, into: &digest) else { continue }
            asked.append((place, claim))
            digested.append(LaneClaim(signature: claim.signature, key: claim.key, digest: digest))
        }
        guard let answers = group.confirmed(digested),
            zip(asked, answers).allSatisfy({ mayBeRight($1, about: $0.claim) })
        else {
            lanes.endUse()
            return false
        }
        let prefersTables = Double(asked.count) * Cost.table < Cost.group
        for (asked, isConfirmed) in zip(asked, answers) where isConfirmed {
            confirmed.append(asked.place)
            if prefersTables { rest?.countSignature(of: asked.claim.key) }
        }
        return true
    }

    /// Whether an answer of the library is right, or is not looked at.
    private func mayBeRight(_ isConfirmed: Bool, about claim: SignatureClaim) -> Bool {
        let isDue = isConfirmed ? samples.confirmed.isDue() : samples.unconfirmed.isDue()
        return !isDue || context.isValid(claim.signature, for: claim.message, by: claim.key) == isConfirmed
    }
}

/// Chooses one of so many, at a place that nobody can foresee.
struct Sampling {
    private let interval: Int
    private var place = 0
    private var chosen: Int

    /// The first one is chosen early, so that short runs have one too.
    private static let firstInterval = 50

    /// - Parameter interval: of how many one is chosen.
    init(_ interval: Int) {
        self.interval = interval
        chosen = Self.place(in: min(interval, Self.firstInterval))
    }

    /// Whether the next one is chosen.
    mutating func isDue() -> Bool {
        let isDue = place == chosen
        place += 1
        if place == interval {
            place = 0
            chosen = Self.place(in: interval)
        }
        return isDue
    }

    private static func place(in interval: Int) -> Int {
        // The numbers of the system, which the makers of the cards cannot foresee.
        var generator = SystemRandomNumberGenerator()
        return Int.random(in: 0..<interval, using: &generator)
    }
}
