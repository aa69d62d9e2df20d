extension Rule {
    /// The rules of the JWS, its header and its signature.
    static let jwsRules: [Rule] = [
        jwsParts, jwsEncoding, jwsLength, headerJSON, headerObject, headerAlgorithm, headerCompression, headerKeyID,
        headerKeyIDForm, headerCritical, headerKeys, rawDeflate, signatureLength, signatureRange,
    ]
}
