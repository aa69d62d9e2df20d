import JOSE
import JSON
import SMARTHealthCards

extension Rule {
    /// The form of the signature is another rule's: one in DER that verifies is not found here.
    static let cardSignature = Rule(
        "jws-verification-error", "signature", .rfc(7515, "5.2"),
        requirement: "The signature verifies under the key that the card names.",
        remedy: "Sign the bytes that are sent: encode header and payload once, and change neither after signing.",
        check: .card { card in
            let isInvalid =
                switch card.signature {
                case .invalid: true
                case .otherKey: card.hasUsableKey
                case .valid, .notPossible: false
                }
            guard isInvalid, let keyID = card.keyID else { return [] }
            return [
                Problem(
                    "the signature does not verify under the issuer's key \(keyID.description.quoted()): the card "
                        + "was changed after it was signed, or another key signed it")
            ]
        })
}

extension CardSubject {
    fileprivate var hasUsableKey: Bool {
        guard let keyID, case .success(let set) = keys, case .found = set.resolve(keyID) else { return false }
        return true
    }
}
