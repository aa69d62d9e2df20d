extension Rule {
    /// The rules of a live issuer's server.
    static let issuerRules: [Rule] = [
        liveIssuerURL, keySetAnswer, keySetStatus, keySetContent, keySetRedirect, tlsVersion, tlsLegacy,
        tlsCertificate, keySetCORS,
        keySetVary, keySetContentType, keySetCaching, keySetFreshness, revocationListAnswer, revocationListCORS,
        revocationListCounter, revocationListKey, liveIssuerTrust, liveSnapshotKeys, canonicalIssuer, directoryName,
    ]
}
