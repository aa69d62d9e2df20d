extension Rule {
    /// Every rule, from the outside of a card to its inside, then what issuers publish. A rule is a file below `Rules`
    /// and a name in the list of its folder.
    public static let all: [Rule] =
        inputRules + carrierRules + jwsRules + payloadRules + bundleRules + cardRules + keyRules + revocationRules
        + directoryRules + issuerRules
}
