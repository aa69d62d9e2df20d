extension Rule {
    /// The rules of what carries cards: files, QR codes, deep links, Parameters.
    static let carrierRules: [Rule] = [
        fileCredentials, fileCredentialText, fileIsParameters, repeatedCard, parametersCredential, resourceLink,
        deepLinkAddress, deepLinkFragment, deepLinkEncoding, qrScheme, qrSchemeCase, qrPart, qrSinglePart, qrDigits,
        qrChunkLength, qrChunking, qrMissingChunk, qrConflict, qrNeedlessChunks, qrBalance,
    ]
}
