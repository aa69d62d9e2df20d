import Credentials

/// What a page says to the person in front of it about a card that did not pass. What issuers and developers do about it is folded away.
extension ReasonCode {
    /// What the holder of the card, or who looks at it, can do.
    var holderAdvice: String {
        let explanation = explanation
        return explanation.desk ?? explanation.remedy
    }

    /// Whether the message is about the inside of a card or of a key, so that it says nothing to most people.
    var isTechnical: Bool {
        switch self {
        case .malformedInput, .unsupportedCredential: false
        // It says how lists are given. The issuer is shown.
        case .issuerNotTrusted: true
        default: isOfForm
        }
    }
}
