import ArgumentParser
import Credentials
import FHIR
import HealthCertificates
import SMARTHealthCards
import Verification

extension VerificationPolicy {
    /// Reads the files that the options name.
    ///
    /// - Parameters:
    ///   - command: the command that has the options.
    ///   - apps: the patients' apps whose attestations are checked.
    ///   - caller: is told every value that verdicts depend on.
    init(
        _ command: some VerifyingCommand, apps: Set<Issuer> = [], observedBy caller: ValueObserver = .nobody
    ) throws {
        let (keys, trust, records, network) = (command.keys, command.trust, command.records, command.network)
        let start = network.trace.start
        defer { network.trace.end(start, "options and their files read") }
        try ProcessSetup.checkOpenSSL()
        var given: [GivenFile] = []
        let observer = ValueObserver { value in
            if let path = value.path { given.append(GivenFile(option: value.option, path: path)) }
            caller.take(value)
        }
        self.init(try VerificationTime(at: command.at))
        switch command.at {
        case .given(let moment)?: observer("--at", Array("\(moment.sinceEpoch.components)".utf8))
        case .issue?: observer("--at", Array("issued".utf8))
        case .now?, nil: break
        }
        requiresRevocation = trust.isRevocationRequired
        if requiresRevocation { observer("--require-revocation", []) }
        if network.offline { observer("--offline", []) }
        if network.allowPrivateNetwork { observer("--allow-private-network", []) }
        if network.maxStale > 0 { observer("--max-stale", Array("\(network.maxStale)".utf8)) }
        if let days = trust.maxDirectoryAge { observer("--max-directory-age", Array("\(days)".utf8)) }
        if trust.isTrustRequired { observer("--require-trusted", []) }
        let trusted = try GivenTrust(trust, keys, observedBy: observer)
        for (source, proof) in trusted.proofs { network.trace.note(proof, of: source) }
        if trust.maxDirectoryAge != nil {
            for name in trusted.undated {
                StandardStreams.warn(
                    "shcverify: warning: --directory \(name): \(CredentialWarning.Code.directoryUndated.rawValue): it does not say when it was "
                        + "made, so --max-directory-age does not limit it")
            }
        }
        cards.trustedIssuers = trusted.issuers
        hcerts.signers = trusted.signers
        hcerts.anchors = trusted.issuers.anchors
        cards.maximumDirectoryAge = trust.maxDirectoryAge.map { .seconds($0 * 86_400) }
        hcerts.maximumListAge = cards.maximumDirectoryAge
        cards.requiresTrust = trust.isTrustRequired
        cards.isOffline = network.offline
        cards.givenKeys = trusted.keys
        self.apps = apps
        try trust.requireTrust(hasKeys: cards.trustsGivenKeys, remark: " Keys of an --app do not count.")
        try Self.checkOwner(of: trusted.ownerlessKeys, by: cards)
        cards.compromisedElsewhere = trusted.compromised
        hcerts.compromisedElsewhere = trusted.compromised
        (cards.givenLists, hcerts.revocations) = try OptionFile.revocations(keys.crl.all, observedBy: observer)
        for type in records.recordType.all { observer("--record-type", Array(type.utf8)) }
        if let since = records.since { observer("--since", Array(since.utf8)) }
        if let until = records.until { observer("--until", Array(until.utf8)) }
        recordQuery = try records.query()
        codeNames = try CodeNames(records.codes.all, observedBy: observer)
        if let caFile = network.caFile { _ = try OptionFile.certificateAuthorities(caFile, observedBy: observer) }
        try GivenFile.check(given, isTrustRequired: trust.isTrustRequired)
    }

    /// Throws if keys are given for every issuer although several issuers are trusted by name. Any owner of such a key could sign as
    /// any of these issuers.
    ///
    /// - Parameter file: the first file of `--jwks` that has keys of cards and does not say whose; nil if there is none.
    private static func checkOwner(of file: String?, by policy: CardPolicy) throws {
        guard policy.hasKeysForSeveralIssuers, let file else { return }
        throw ValidationError(
            "--jwks \(file) does not say whose keys it has, and several issuers are trusted: the owner of one of these keys could "
                + "sign as any of them. Write --jwks ISS=\(file), with the URL of the issuer whose keys these are.")
    }
}
