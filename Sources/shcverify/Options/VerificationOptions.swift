import ArgumentParser
import IssuerNetwork
import SMARTHealthCards

/// What cards are verified by: the options that every command which verifies has.
struct VerificationOptions: ParsableArguments {
    @OptionGroup(title: "Keys") var keys: KeyOptions
    @OptionGroup(title: "Trust") var trust: TrustOptions
    @OptionGroup(title: "Records") var records: RecordOptions
    @OptionGroup(title: "Network") var network: NetworkOptions

    @OptionGroup var time: TimeOptions

    func validate() throws {
        try trust.validate(hasKeys: !keys.jwks.isEmpty)
    }

    /// Reads the files that the options name.
    ///
    /// - Parameter note: is told of everything that a verdict depends on.
    func policy(noting note: OptionFile.Note = .nothing) throws -> VerificationPolicy {
        try ProcessSetup.checkOpenSSL()
        var policy = VerificationPolicy(now: time.now)
        if let at = time.at { note("--at", Array("\(at.sinceEpoch.components)".utf8)) }
        network.note(to: note)
        policy.trustedIssuers = try trust.trustedIssuers(noting: note)
        policy.maximumDirectoryAge = trust.maxDirectoryAge.map { .seconds($0 * 86_400) }
        policy.requiresTrust = trust.isTrustRequired
        policy.isOffline = network.offline
        policy.givenKeys = try OptionFile.keys(keys.jwks, noting: note)
        policy.givenLists = try OptionFile.revocationLists(keys.crl, noting: note)
        policy.recordQuery = try records.query(noting: note)
        policy.codeNames = try records.names(noting: note)
        if let caFile = network.caFile { _ = try OptionFile.certificateAuthorities(caFile, noting: note) }
        return policy
    }

    /// Verifies all cards of the inputs, in their order.
    ///
    /// Each card that does not verify gives a line on standard error.
    ///
    /// - Parameters:
    ///   - inputs: what to read.
    ///   - policy: what to verify by.
    ///   - isQuiet: whether these lines name no person, record or date: what a gate prints is logged.
    ///   - take: takes each verdict.
    /// - Returns: the exit code: that of the first card that did not verify.
    nonisolated(nonsending) func verify(
        _ inputs: InputOptions, policy: VerificationPolicy, isQuiet: Bool = false, take: (Verdict) throws -> Void
    ) async throws -> Int32 {
        var verification = try CardVerification(policy: policy, source: network.evidenceSource())
        var exitCode: Int32 = 0
        var cards = ArtifactReader(reading: inputs).cards()[...]
        while !cards.isEmpty {
            for verdict in try await verification.verdicts(onNextOf: &cards) {
                if let reason = verdict.reason {
                    let source = verdict.examined.presented.source
                    StandardStreams.warn(
                        "\(source): \(reason.code.rawValue): \(reason.words(isImpersonal: isQuiet))")
                    if exitCode == 0 { exitCode = reason.code.exitCode }
                }
                try take(verdict)
            }
        }
        return exitCode
    }
}
