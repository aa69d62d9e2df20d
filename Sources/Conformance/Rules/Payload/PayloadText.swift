import Encodings

extension Rule {
    /// The rules of the payload.
    static let payloadRules: [Rule] = [
        payloadJSON, payloadByteOrderMark, payloadMinified, payloadObject, issuerMember, issuerURL, issuerURLForm,
        issuedMember, issuedRange, notYetValid, expiresMember, expiresRange, expired, credential, credentialContext,
        credentialType, cardTypes, cardTypeText, healthCardType, unknownCardType, applicableType, inapplicableType,
        repeatedType, revocationIdentifier, credentialSubject, fhirVersion, unknownFHIRVersion, fhirBundle,
        subjectMember, unknownMember,
    ]

    static let payloadJSON = Rule("json-parse-error/payload", RuleCheck.payload) { payload in
        guard let error = payload.json.error, error.reason != .byteOrderMark else { return [] }
        return .found("the payload is not acceptable JSON: \(error)", offset: error.offset)
    }

    static let payloadByteOrderMark = Rule("json-parse-error/payload-byte-order-mark", RuleCheck.payload) { payload in
        payload.json.error?.reason == .byteOrderMark
            ? .found("the payload begins with a byte-order mark", offset: 0) : []
    }

    static let payloadMinified = Rule("payload-not-minified/white-space", RuleCheck.payload) { payload in
        // A payload that is an input of its own was formatted for people to read.
        guard payload.isSigned, let value = payload.value, !value.isMinified else { return [] }
        let before = value.byteRange.lowerBound
        let after = value.text.count - value.byteRange.upperBound
        return .found(
            before + after > 0
                ? "the payload has white space in it or around it" : "the payload has white space in it", at: value)
    }

    static let payloadObject = Rule("schema-error/payload-object", RuleCheck.payload) { payload in
        guard let value = payload.value, value.kind != .object else { return [] }
        return .found("the payload is not a JSON object but \(value.described)", at: value)
    }
}
