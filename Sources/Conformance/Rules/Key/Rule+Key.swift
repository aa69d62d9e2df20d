extension Rule {
    /// The rules of key sets and keys.
    static let keyRules: [Rule] = [
        keySet, keyMembers, keyType, keyAlgorithm, keyUse, keyCurve, keyID, keyCoordinates, keyPoint, keyOperations,
        keyPrivate, keyRepeats, keyListVersion, certificateEncoding, certificateKey, certificateName, certificateDates,
        certificateChain, certificateAnchor,
    ]
}
