import Encodings
import SMARTHealthCards

extension Rule {
    /// The rules of the payload.
    static let payloadRules: [Rule] = [
        payloadJSON, payloadByteOrderMark, payloadMinified, payloadObject, issuerMember, issuerURL, issuerURLForm,
        issuedMember, issuedRange, notYetValid, expiresMember, expiresRange, expired, credential, credentialContext,
        credentialType, cardTypes, cardTypeText, healthCardType, unknownCardType, applicableType, inapplicableType,
        repeatedType, revocationIdentifier, credentialSubject, fhirVersion, unknownFHIRVersion, fhirBundle,
        subjectMember, unknownMember,
    ]

    static let payloadJSON = Rule(
        "json-parse-error", "payload", .rfc(8259, "2"),
        requirement: "The payload is JSON in which no member occurs twice and every string is valid Unicode.",
        remedy: "Correct the JSON at the position of the finding before you compress and sign it.",
        check: .payload { payload in
            guard let error = payload.json.error, error.reason != .byteOrderMark else { return [] }
            return .found("the payload is not acceptable JSON: \(error)", offset: error.offset)
        })

    static let payloadByteOrderMark = Rule(
        "json-parse-error", "payload-byte-order-mark", .rfc(8259, "8.1"),
        requirement: "The payload does not begin with a byte-order mark. JSON parsers reject it.",
        remedy: "Write the JSON as UTF-8 without a byte-order mark before you compress it.",
        check: .payload { payload in
            payload.json.error?.reason == .byteOrderMark
                ? .found("the payload begins with a byte-order mark", offset: 0) : []
        })

    static let payloadMinified = Rule(
        "payload-not-minified", "white-space", "SHC-J2",
        requirement: "The payload is minified before it is compressed: it has no white space outside strings.",
        remedy: "Write the JSON without indentation, and without blanks after colons and commas.",
        check: .payload { payload in
            // A payload that is an input of its own was formatted for people to read.
            guard payload.isSigned, let value = payload.value, !value.isMinified else { return [] }
            let before = value.byteRange.lowerBound
            let after = value.text.count - value.byteRange.upperBound
            return .found(
                before + after > 0
                    ? "the payload has white space in it or around it" : "the payload has white space in it", at: value)
        })

    static let payloadObject = Rule(
        "schema-error", "payload-object", "SHC-P1",
        requirement: "The payload is a JSON object.",
        remedy: "Sign an object with `iss`, `nbf` and `vc`.",
        check: .payload { payload in
            guard let value = payload.value, value.kind != .object else { return [] }
            return .found("the payload is not a JSON object but \(value.described)", at: value)
        })
}
