extension Rule {
    /// The rules of a card together with what its issuer publishes.
    static let cardRules: [Rule] = [
        cardTrust, cardKeySet, cardKey, cardKeyName, cardSignature, cardList, cardListCounter, cardListAhead,
        cardRevoked, cardIdentifier,
    ]
}
