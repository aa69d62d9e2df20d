import JOSE

/// What is known of a card's key before the card is judged.
struct PresumedKey {
    /// What is to be said of the key that the card names.
    let standing: KeyStanding
    /// That it made the card's signature, and what was found out about that; nil if nobody was asked.
    let claim: SignatureClaim?
}

extension VerificationSetting {
    /// The standing of a card's key; nil if it is not known yet, or the card names none.
    func knownStanding(of examined: ExaminedCard) -> KeyStanding? {
        guard case .success(let card) = examined.card else { return nil }
        return standings?.standing(of: card, with: evidence)
    }
}

extension KeyStanding {
    /// That the first key made a card's signature; nil if there is no key, or the signature is none.
    func claim(of examined: ExaminedCard) -> SignatureClaim? {
        guard case .found(let keys) = outcome, let key = keys.first, case .success(let card) = examined.card,
            let signature = try? ES256Signature(card.jws.signature)
        else { return nil }
        return SignatureClaim(signature: signature, key: key, message: card.jws.signingInput)
    }
}
