import ArgumentParser

/// The options of every command that verifies cards.
typealias VerificationOptions = VerificationOptionsOf<OfflineOption>

/// The options of every command that verifies cards, with or without a useful `--offline`.
struct VerificationOptionsOf<Offline: OfflineChoice>: ParsableArguments {
    @OptionGroup(title: "Keys") var keys: KeyOptions
    @OptionGroup(title: "Trust") var trust: TrustOptions
    @OptionGroup(title: "Records") var records: RecordOptions
    @OptionGroup(title: "Network") var network: NetworkOptionsOf<Offline, CacheOptions>

    @OptionGroup var time: VerificationTimeOptions

    func validate() throws {
        try trust.validate(hasKeys: !keys.jwks.isEmpty)
    }
}
