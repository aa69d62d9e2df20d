package import Credentials

/// The rules of `lint` that say the same as a reason of a verdict: the first defect of a reading is the reason for which it is refused.
package enum FirstDefect {
    /// Rules that are errors for `lint`, although the form of the credential is accepted: verifiers do not need it, judge it in a later check,
    /// or warn.
    package static let accepted: Set = [
        "expiration-error/exp-range", "jws-header-error/kid-form", "not-yet-valid/nbf-range",
        "payload-not-minified/white-space",
        "schema-error/vc-type-text", "signature-format-error/length", "signature-format-error/range",
        // Null is read as if the member were not there, with a warning.
        "schema-error/exp", "schema-error/rid",
        // Of certificates.
        "base45-error/prefix", "cose-header-error/alg-protected", "hcert-claim-error/form", "hcert-claim-error/iss",
        "hcert-claim-error/order", "signature-format-error/certificate", "icvp-schema-error/issuer",
        "icvp-schema-error/product",
        // The link in a certificate is judged when it is opened.
        "hcert-link-error/encoding", "invalid-shlink/encoding", "invalid-shlink/form", "invalid-shlink/text",
        "shlink-not-https-url/url", "shlink-payload-error/members", "shlink-payload-error/payload",
    ]

    /// The beginnings of the IDs of rules, by the reason.
    private static let rules: [ReasonCode: [String]] = [
        .malformedJWS: [
            "json-parse-error/jws-", "jws-header-error/json", "jws-header-error/object", "jws-header-error/kid",
            "jws-header-error/crit",
        ],
        .unsupportedAlgorithm: ["jws-header-error/alg", "cose-header-error/alg"],
        .unsupportedCompression: ["jws-header-error/zip"],
        .inflateFailed: ["inflation-error/", "zlib-error/"], .payloadTooLarge: ["inflation-error/", "zlib-error/"],
        .malformedPayload: [
            "json-parse-error/payload", "schema-error/", "fhir-schema-error/", "not-yet-valid/nbf-range",
            "expiration-error/exp-range", "hcert-claim-error/", "dcc-schema-error/", "icvp-schema-error/",
            "hcert-link-error/",
        ],
        .invalidIssuerURL: ["invalid-issuer-url/iss"],
        .malformedQR: ["base45-error/text"],
        .malformedCOSE: ["cose-header-error/"],
        .unsupportedCredential: ["unsupported-credential/content", "hcert-claim-error/hcert"],
    ]

    /// Whether the first error that is not accepted says the same as the reason.
    ///
    /// - Parameter errors: the IDs of the rules of all errors, in order.
    package static func isReason(_ errors: [String], _ reason: ReasonCode) -> Bool {
        let rules = rules[reason, default: []]
        let isSame = { (id: String) in rules.contains { id.hasPrefix($0) } }
        // Of some rules, it depends on the value whether they are accepted.
        return errors.first { isSame($0) || !accepted.contains($0) }.map(isSame) ?? false
    }
}
