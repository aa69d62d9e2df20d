package import Cryptography

/// The results for a card's key that are known before the card's own checks.
struct PreverifiedSignature {
    /// The results of the checks of the key that the card names.
    let keyStatus: KeyStatus
    /// The claim that the key made the card's signature, with its answer; nil if there is no claim.
    let claim: SignatureClaim?
}

extension VerificationSetting {
    /// The status of a card's key; nil if it is not known yet, or if the card's form is wrong.
    func knownStanding(of examined: ExaminedCard) -> KeyStatus? {
        guard case .success(let card) = examined.card else { return nil }
        return statuses?.keyStatus(of: card, with: evidence)
    }
}

extension KeyStatus {
    /// The claim that the first key made a card's signature; nil if there is no key, or if the signature is malformed.
    func claim(of examined: ExaminedCard) -> SignatureClaim? {
        guard case .found(let candidates) = outcome, let key = candidates.keys.first,
            case .success(let card) = examined.card,
            let signature = try? ES256Signature(card.jws.signature)
        else { return nil }
        return SignatureClaim(signature: signature, key: key, message: card.jws.signingInput)
    }
}

/// Tables that make it faster to confirm signatures, for keys that many cards use. The threads of one run share them.
package struct Precomputation: Sendable {
    private let tables = KeyTables()
    private let lanes: SignatureLanes?

    /// Creates empty tables.
    ///
    /// - Parameter lanes: the library that verifies eight signatures at once; nil if there is none. Tables are used for what is left
    ///   over.
    package init(lanes: SignatureLanes? = nil) { self.lanes = lanes }

    /// Whether signatures that were confirmed may be false: the library was found to be wrong after it had confirmed some.
    ///
    /// - Parameter isContinued: whether there was an earlier run, in which it may have confirmed signatures too.
    package func isInDoubt(isContinued: Bool = false) -> Bool { lanes?.isInDoubt(isContinued: isContinued) ?? false }

    /// Makes what confirms signatures on one thread; nil if libcrypto lacks the needed functions. Then EVP verifies all.
    package func confirmer() -> (any SignatureConfirmer)? {
        let tables = TableConfirmer(tables: tables)
        guard let lanes, let confirmer = LaneConfirmer(lanes, rest: tables) else { return tables }
        return confirmer
    }
}
