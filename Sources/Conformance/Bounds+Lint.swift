public import SMARTHealthCards

extension Bounds {
    /// Keys of one set that are looked at. An issuer has a few.
    static let keysOfSet = 1000
    /// Departures that one rule collects in one text, of which the first few are shown.
    static let problems = 1000
    /// Entries of a revocation list among which repeats are looked for.
    static let comparedEntries = 250_000
    /// Keys of an issuer that are tried where a card does not verify under the one it names.
    static let triedKeys = 64

    /// Bytes of one input to lint, of a kind or of any.
    public static func listSize(_ kind: LintKind?) -> Int {
        switch kind {
        case .crl, .directory, nil: max(revocationListSize, directorySize)
        case .jwks: keySetSize
        case .payload: payloadSize
        case .bundle, .jws, .file, .qr, .parameters, .deeplink: inputSize
        }
    }
}
