import JOSE

/// What a card says it was signed with: the issuer, and the id of its key. A key id alone names nothing, since real issuers
/// share them.
struct KeyName: Hashable {
    let issuer: Issuer
    let keyID: KeyID

    init(_ card: UnverifiedCard) {
        issuer = card.issuer
        keyID = card.header.keyID
    }
}
