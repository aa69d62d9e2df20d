import ArgumentParser
import Bytes
import CredentialReports
import Credentials
import HealthCertificates
import Inputs
import IssuerNetwork
import SMARTHealthCards
import SMARTHealthCheckIns
import Verification

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

    /// Reads the files that the options name.
    ///
    /// - Parameter note: is called with every value that verdicts depend on.
    func policy(noting note: OptionFile.Note = .nothing) throws -> VerificationPolicy {
        let start = network.trace.start
        defer { network.trace.end(start, "options and their files read") }
        try ProcessSetup.checkOpenSSL()
        var given: [GivenFile] = []
        let note = note.telling { option, path in given.append(GivenFile(option: option, path: path)) }
        var policy = VerificationPolicy(try time.time())
        switch time.at {
        case .given(let moment)?: note("--at", Array("\(moment.sinceEpoch.components)".utf8))
        case .issue?: note("--at", Array("issued".utf8))
        case .now?, nil: break
        }
        policy.requiresRevocation = trust.isRevocationRequired
        if policy.requiresRevocation { note("--require-revocation", []) }
        network.note(to: note)
        let trusted = try trust.trusted(noting: note)
        for (source, proof) in trusted.proofs { network.trace.note(proof, of: source) }
        policy.cards.trustedIssuers = trusted.issuers
        policy.hcerts.signers = trusted.signers
        policy.hcerts.anchors = trusted.issuers.anchors
        policy.cards.maximumDirectoryAge = trust.maxDirectoryAge.map { .seconds($0 * 86_400) }
        policy.hcerts.maximumListAge = policy.cards.maximumDirectoryAge
        policy.cards.requiresTrust = trust.isTrustRequired
        policy.cards.isOffline = network.offline
        let givenKeys = try OptionFile.keys(keys.jwks.all, noting: note)
        policy.cards.givenKeys = givenKeys.keys
        for list in givenKeys.signers { policy.hcerts.signers.add(list) }
        try keys.checkOwner(of: givenKeys.ownerless, by: policy.cards)
        policy.cards.compromisedElsewhere = trusted.compromised
        policy.hcerts.compromisedElsewhere = trusted.compromised
        let revocations = try OptionFile.revocations(keys.crl.all, noting: note)
        policy.cards.givenLists = revocations.lists
        policy.hcerts.revocations = revocations.batches
        policy.recordQuery = try records.query(noting: note)
        policy.codeNames = try records.names(noting: note)
        if let caFile = network.caFile { _ = try OptionFile.certificateAuthorities(caFile, noting: note) }
        try GivenFile.check(given, isTrustRequired: trust.isTrustRequired)
        return policy
    }

    /// Verifies cards that were read, in their order. Prints a line on standard error for each card that does not
    /// verify.
    ///
    /// - Parameters:
    ///   - cards: the cards.
    ///   - policy: the policy to verify by.
    ///   - isQuiet: whether these lines leave out persons, records and dates. With `--quiet` they do, because gates are
    ///     logged.
    ///   - source: what fetches keys and lists; nil to make it.
    ///   - take: is called with each verdict.
    /// - Returns: the exit code of the first card that did not verify; 0 if all did.
    nonisolated(nonsending) func verify(
        _ cards: [PresentedCredential], policy: VerificationPolicy, isQuiet: Bool = false,
        source: (any EvidenceSource)? = nil, take: (Verdict) throws -> Void
    ) async throws -> Int32 {
        var verification = try CredentialVerification(policy: policy, source: source ?? network.evidenceSource())
        var exitCode: Int32 = 0
        var cards = cards[...]
        while !cards.isEmpty {
            let start = network.trace.start
            let verdicts = try await verification.verdicts(onNextOf: &cards)
            network.trace.end(start, "\(verdicts.count.counted("verdict"))")
            for verdict in verdicts {
                network.trace.note(verdict)
                if let reason = verdict.reason {
                    let source = verdict.examined.presented.source
                    let message = Tool.shcverify.message(of: reason, isImpersonal: isQuiet)
                    StandardStreams.warn("\(source): \(reason.code.rawValue): \(message)")
                    if exitCode == 0 { exitCode = reason.code.exitCode }
                }
                try take(verdict)
            }
        }
        return exitCode
    }
}

extension VerificationOptions {
    /// Verifies all cards of the inputs and of the links among them, in their order. See
    /// `verify(_:policy:isQuiet:take:)` for cards.
    ///
    /// - Parameters:
    ///   - session: what is known of check-ins.
    ///   - keepsUnsigned: whether FHIR content that nobody signed is kept for a hand-over.
    nonisolated(nonsending) func verify(
        _ inputs: InputOptions, _ links: LinkOptions, _ session: CheckInSession, policy: VerificationPolicy,
        isQuiet: Bool = false,
        keepsUnsigned: Bool = false, take: (Verdict) throws -> Void
    ) async throws -> Int32 {
        let start = network.trace.start
        var follower = try LinkFollower(
            links, network: network, now: policy.time.common ?? policy.time.madeAt, mayAsk: !inputs.readsStandardInput,
            keepsUnsigned: keepsUnsigned)
        // Made once, since it says whether the cache can be used.
        var made: (any EvidenceSource)?
        let source = { () throws -> any EvidenceSource in
            if let made { return made }
            let source = try network.evidenceSource()
            made = source
            return source
        }
        follower.attestations = AttestationJudge(
            apps: policy.apps, policy: policy.withSharedEvidence.cards, source: source)
        var reader = try await CredentialReader(reading: inputs)
        try reader.addLinksOfCertificates(by: policy)
        try await reader.follow(by: follower)
        reader.openCheckIns(in: session, at: policy.time.common ?? policy.time.madeAt)
        let cards = reader.cards()
        network.trace.end(start, "\(cards.count.counted("card")) read from the inputs")
        return try await verify(cards, policy: policy, isQuiet: isQuiet, source: source(), take: take)
    }
}
