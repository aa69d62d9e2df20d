import ArgumentParser

/// The options of every command that verifies cards.
typealias VerificationOptions = VerificationOptionsOf<OfflineOption>

/// The options of every command that verifies cards, with or without a useful `--offline`.
struct VerificationOptionsOf<Offline: OfflineChoice> {
    let keys: KeyOptions
    let lists: TrustListOptions
    let trust: TrustOptions
    let records: RecordOptions
    let network: NetworkOptionsOf<Offline, CacheOptions>
    let time: VerificationTimeOptions
}

/// A command that verifies cards.
///
/// Its groups of options are not one group, since in a debug build each level of groups makes parsing five times slower.
protocol VerifyingCommand: ParsableCommand {
    associatedtype Offline: OfflineChoice

    var keys: KeyOptions { get }
    var lists: TrustListOptions { get }
    var trust: TrustOptions { get }
    var records: RecordOptions { get }
    var network: NetworkOptionsOf<Offline, CacheOptions> { get }
    var time: VerificationTimeOptions { get }
}

extension VerifyingCommand {
    var verification: VerificationOptionsOf<Offline> {
        VerificationOptionsOf(
            keys: keys, lists: lists, trust: trust, records: records, network: network, time: time)
    }

    func validateTrust() throws { try trust.validate(lists, hasKeys: !keys.jwks.isEmpty) }
}
