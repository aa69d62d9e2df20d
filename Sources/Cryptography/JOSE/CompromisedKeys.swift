import Encodings
import Synchronization

/// Keys whose private half is published (SHC-K3). None of them may verify anything, whichever kind of credential it is for.
///
/// Real sets list such a key twice, once with its private half and once without. Lists, key sets and directories find such keys
/// when they are read. Give those that were found for one kind of credential to the policy of the other.
package struct CompromisedKeys: Sendable {
    /// What was found beside an RSA modulus and may be its private half.
    private struct Claim: Sendable, Hashable {
        let modulus: [UInt8]
        /// `d`.
        let exponent: [UInt8]?
        /// `dp` and `dq`, which are `d` for each factor.
        let factorExponents: [[UInt8]]
        let publicExponent: [UInt8]
        /// `p` and `q`.
        let factors: [[UInt8]]

        /// Whether it is the private half indeed. This takes some milliseconds for each number.
        func isTrue() -> Bool {
            if factors.contains(where: { RSAPrivateKey.isFactor($0, of: modulus) }) { return true }
            let isPrivate = exponent.map {
                RSAPrivateKey.isPrivate(exponent: $0, ofModulus: modulus, publicExponent: publicExponent)
            }
            return isPrivate == true
                || factorExponents.contains {
                    RSAPrivateKey.isPrivate(factorExponent: $0, ofModulus: modulus, publicExponent: publicExponent)
                }
        }
    }

    /// What was found out about claims, so that none is judged twice. All copies of a set share it.
    private final class Judgements: Sendable {
        private let known = Mutex<[Claim: Bool]>([:])

        func isTrue(_ claim: Claim) -> Bool {
            if let known = known.withLock({ $0[claim] }) { return known }
            let isTrue = claim.isTrue()
            known.withLock { $0[claim] = isTrue }
            return isTrue
        }
    }

    /// The keys whose private half is published indeed. Of points on P-256, the first coordinate is enough: the private key of
    /// (x, −y) is n − d, which follows from the private key d of (x, y), and no other point has this x.
    private var proven: Set<KeyNumber> = []
    /// The same, and the keys beside which something stands that may be their private half.
    private var claimed: Set<KeyNumber> = []
    /// What was found beside each RSA modulus. It is judged only if a signer with that modulus is looked up: a list may have thousands.
    private var claims: [[UInt8]: Set<Claim>] = [:]
    private let judgements = Judgements()
    /// The most further factors of one key that are looked at. No key has so many.
    private static let maximumOthers = 8
    /// The most claims about one modulus that are kept.
    private static let maximumClaims = 64
    /// The most private halves of one key set whose public halves are computed, of each kind of key. Key sets of issuers have one or
    /// two by mistake. The entries after these still make themselves, their coordinates and moduli unusable.
    package static let maximumProofs = 64
    /// The IDs of entries that have `d`, but no readable point.
    private var keyIDs: Set<KeyID> = []

    /// Makes an empty set.
    package init() {}

    /// Finds the keys on P-256 among these whose private half is published.
    package init(_ keys: some Sequence<JWK>) {
        var proofsLeft = Self.maximumProofs
        for key in keys where key.value["d"] != nil {
            let x = Self.number(key.value["x"], upTo: P256Point.coordinateLength)
            if let x { claimed.insert(KeyNumber(.es256, Self.padded(x))) }
            // The private half gives the point, even if the entry has no coordinates, or other ones.
            // A number above the order of the curve gives the same point as what is left of it.
            if proofsLeft > 0, let d = Self.number(key.value["d"], upTo: 2 * P256Point.coordinateLength) {
                proofsLeft -= 1
                if let x = P256Point.firstCoordinate(ofPrivateKey: d) { proven.insert(KeyNumber(.es256, x)) }
            }
            if x == nil || (try? key.coordinate("y")) == nil, let keyID = key.keyID { keyIDs.insert(keyID) }
        }
        claimed.formUnion(proven)
    }

    /// Finds all keys among these whose private half is published, RSA keys included.
    package init(given keys: [JWK]) {
        self.init(keys)
        var proofsLeft = Self.maximumProofs
        for key in keys where key.hasPrivatePart {
            let number = { (name: String) in Self.number(key.value[name], upTo: PS256PublicKey.maximumBits / 8) }
            // Each factor of a modulus proves that its private half is known, also those of a key with more than two (RFC 7518 §6.3.2.7).
            let others = key.value["oth"]?.elements.map { Array($0.prefix(Self.maximumOthers)) } ?? []
            let primes = ["p", "q"].compactMap(number)
            let factors =
                primes
                + others.compactMap { Self.number($0["r"], upTo: PS256PublicKey.maximumBits / 8) }
            if let modulus = number("n") {
                claimed.insert(KeyNumber(.ps256, modulus))
                let claim = Claim(
                    modulus: modulus, exponent: number("d"),
                    factorExponents: ["dp", "dq"].compactMap(number), publicExponent: number("e") ?? [1, 0, 1],
                    factors: factors)
                if claims[modulus, default: []].count < Self.maximumClaims {
                    claims[modulus, default: []].insert(claim)
                }
            } else if primes.count == 2, proofsLeft > 0 {
                proofsLeft -= 1
                if let product = RSAPrivateKey.product(primes[0], primes[1]) {
                    proven.insert(KeyNumber(.ps256, product))
                }
            }
        }
        claimed.formUnion(proven)
    }

    /// The keys whose private halves are in a PEM file.
    package init(privateKeysIn text: [UInt8]) {
        proven = Set(PEM.publicHalvesOfPrivateKeys(in: text))
        claimed = proven
    }

    /// Only the keys whose private half is published indeed. They count for all issuers and lists. A key ID is only
    /// meaningful for its own issuer, and anyone can write some `d` beside another issuer's key.
    package var provenAlone: CompromisedKeys {
        var keys = CompromisedKeys()
        keys.claimed = proven
        keys.proven = proven
        keys.claims = claims
        return keys
    }

    /// Adds the keys of another set.
    package mutating func formUnion(_ other: CompromisedKeys) {
        claimed.formUnion(other.claimed)
        proven.formUnion(other.proven)
        keyIDs.formUnion(other.keyIDs)
        for (modulus, others) in other.claims {
            let room = Self.maximumClaims - claims[modulus, default: []].count
            claims[modulus, default: []].formUnion(others.prefix(max(0, room)))
        }
    }

    /// Reads a number even if it is written wrongly: in the other alphabet, padded, with leading zeros or with extra bits. Even
    /// an entry that cannot be imported shows whose private half is published.
    ///
    /// - Returns: the number without leading zeros; nil if it is none, is zero or has more bytes.
    private static func number(_ value: JSONValue?, upTo maximum: Int) -> [UInt8]? {
        guard let text = value?.stringBytes, text.count < 8 * maximum else { return nil }
        let significant = Base64URL.decodeLeniently(text[...]).drop { $0 == 0 }
        return significant.isEmpty || significant.count > maximum ? nil : Array(significant)
    }

    private static func padded(_ number: [UInt8]) -> [UInt8] {
        [UInt8](repeating: 0, count: P256Point.coordinateLength - number.count) + number
    }

    /// Whether the private half of a key is published.
    func contains(_ point: P256Point, of keyID: KeyID?) -> Bool {
        claimed.contains(KeyNumber(.es256, point.x)) || keyID.map(keyIDs.contains) == true
    }

    /// Whether the private half of a key is published.
    package func contains(_ key: VerificationKey) -> Bool {
        guard !claimed.contains(key.number) else { return true }
        return switch key {
        case .es256: false
        // What is beside a modulus is not taken for its private half before that is proven.
        case .ps256(let key): claims[key.modulus]?.contains { judgements.isTrue($0) } == true
        }
    }

    /// Whether the private half of a certificate's key is published.
    package func contains(_ certificate: Certificate) -> Bool {
        guard case .success(let key) = certificate.publicKey else { return false }
        return contains(key)
    }
}
