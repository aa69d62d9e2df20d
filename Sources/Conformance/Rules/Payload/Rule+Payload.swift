import JSON
import SMARTHealthCards

extension Rule {
    /// The rules of the payload.
    static let payloadRules: [Rule] = [
        payloadJSON, payloadByteOrderMark, payloadMinified, payloadObject, issuerMember, issuerURL, issuedMember,
        issuedRange,
        notYetValid, expiresMember, expiresRange, expired, credential, credentialContext, credentialType, cardTypes,
        cardTypeText,
        healthCardType, unknownCardType, applicableType, inapplicableType, repeatedType, revocationIdentifier,
        credentialSubject, fhirVersion, unknownFHIRVersion, fhirBundle, subjectMember,
    ]

    /// Whether a list of card types has this one.
    static func lists(_ type: String, in payload: PayloadSubject) -> Bool {
        payload.value?["vc"]?["type"]?.elements?.contains { $0.isString(type) } ?? false
    }
}
