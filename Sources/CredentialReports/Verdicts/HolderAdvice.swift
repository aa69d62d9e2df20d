import Credentials

/// What a page says to the person in front of it about a card that did not pass. What issuers and developers do about it is folded away.
extension ReasonCode {
    /// What the holder of the card, or who looks at it, can do.
    var holderAdvice: String {
        switch self {
        case .malformedInput: "Show the QR code of the card, or the file or PDF that you got from the issuer."
        case .unsupportedCredential:
            "Ask for a SMART Health Card or an EU certificate. From a wallet, take a screenshot that shows the QR code."
        case .malformedQR, .malformedJWS, .malformedCOSE, .inflateFailed:
            "Scan the code again, or show the original. If that does not help, ask the issuer for a new card."
        case .unsupportedAlgorithm, .unsupportedCompression, .payloadTooLarge, .malformedPayload, .invalidIssuerURL:
            "Show the original. If that does not help, ask the issuer: the card is not made as the standard requires."
        case .malformedLink: "Scan the QR code again, or ask for the link again."
        case .unsupportedLinkVersion, .malformedManifest, .malformedJWE, .unsupportedEncryption, .decryptionFailed:
            "Ask the person for a new link, or for the card itself."
        case .signatureInvalid:
            "Scan the code again, or show the original: one wrong character is enough. If it stays so, do not accept the card."
        case .keyNotFound, .keyInvalid, .certificateInvalid:
            "Ask the issuer: the reason is with its keys, or with the list of keys here. The holder can do nothing about it."
        case .issuerNotTrusted:
            "If this is your card, ask your pharmacy, doctor or state whether the address is theirs."
        case .notYetValid: "Look at the date from which the card is valid, and at the clock of this machine."
        case .expired: "Ask the issuer for a new card."
        case .revoked: "Ask the issuer for a new card. Until then, do not accept this one."
        case .linkExpired, .linkInactive: "Ask the person for a new link."
        case .recordsNotMatching: "Show another card, if there is one with what was asked for."
        case .noSignedContent, .noCardsIssued: "Ask for the health card itself."
        case .keysUnavailable, .revocationUnavailable, .linkUnavailable, .providerUnavailable:
            "Try again later. This says nothing about the card."
        case .receiverRequired:
            "Only a registered receiver, such as a hospital that takes part in the network, can open this link."
        case .codesUnknown: "Update the lists of codes here. This says nothing about the card."
        case .emptyInput, .noCodeFound, .pictureUnreadable:
            "Scan it again, sharper, closer and flat, or show the original file. This says nothing about the card."
        case .qrChunkMissing: "Scan the other codes of the card too."
        case .malformedCheckIn, .requestMismatch: "Start the check-in again."
        case .recipientKeyRequired: "Look at the set-up of the desk: the check-in cannot be opened with what was given."
        case .passcodeRequired, .passcodeRejected: "Ask the person for the passcode of the link."
        case .providerRefused: "Log in again with the provider."
        case .unreadableInput: "Give the file again. This says nothing about the card."
        }
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
