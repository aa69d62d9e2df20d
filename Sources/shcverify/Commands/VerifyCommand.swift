import ArgumentParser
import Deflate
import FoundationEssentials
import IssuerNetwork
import SMARTHealthCards

/// `shcverify INPUT…`: verifies cards and prints what they record.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Verify cards and print what they record (the default command).")

    @OptionGroup(title: "Input") var inputs: InputOptions
    @OptionGroup(title: "Keys") var keys: KeyOptions
    @OptionGroup(title: "Trust") var trust: TrustOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    @Option(
        name: .customLong("at"),
        help: ArgumentHelp("Verify as of this time: RFC 3339, or seconds since 1970.", valueName: "time"),
        transform: { text in
            guard let moment = NumericDate(text: text) else {
                throw ValidationError("--at wants RFC 3339 with a zone (2021-06-01T00:00:00Z), or seconds since 1970.")
            }
            return moment
        })
    var at: NumericDate?

    func validate() throws {
        try trust.validate(hasKeys: !keys.jwks.isEmpty)
    }

    func run() async throws {
        let now = at ?? NumericDate.now
        var policy = VerificationPolicy(now: now)
        policy.trustedIssuers = try trust.trustedIssuers()
        policy.maximumDirectoryAge = trust.maxDirectoryAge.map { .seconds($0 * 86_400) }
        policy.requiresTrust = trust.isTrustRequired
        policy.isOffline = network.offline
        policy.givenKeys = try OptionFile.keys(keys.jwks)
        policy.givenLists = try OptionFile.revocationLists(keys.crl)
        if let caFile = network.caFile { try OptionFile.checkCertificates(caFile) }

        var verification = try CardVerification(policy: policy, source: network.evidenceSource)
        var report = output.report(now: now)
        var exitCode: Int32 = 0
        for card in ArtifactReader(reading: inputs).cards() {
            let verdict = await verification.verdict(on: card)
            if let reason = verdict.reason {
                StandardStreams.warn("\(card.source): \(reason.code.rawValue): \(reason.message)")
                if exitCode == 0 { exitCode = reason.code.exitCode }
            }
            if let bytes = report?.add(verdict) { try StandardStreams.write(bytes) }
        }
        if let bytes = report?.finish() { try StandardStreams.write(bytes) }
        if exitCode != 0 { throw ExitCode(exitCode) }
    }
}

extension NumericDate {
    /// The moment the clock shows, to the millisecond: cards are issued with fractions of a second.
    fileprivate static var now: NumericDate {
        NumericDate(sinceEpoch: .milliseconds(Int64(Date().timeIntervalSince1970 * 1000)))
    }
}
