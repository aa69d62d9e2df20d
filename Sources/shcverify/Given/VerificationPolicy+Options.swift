import ArgumentParser
import Credentials
import FHIR
import HealthCertificates
import SMARTHealthCards
import Verification

extension VerificationPolicy {
    /// Reads the files that the options name.
    ///
    /// - Parameter note: is called with every value that verdicts depend on.
    init<Offline: OfflineChoice>(
        _ options: VerificationOptionsOf<Offline>, noting note: OptionFile.Note = .nothing
    ) throws {
        let (keys, trust, network) = (options.keys, options.trust, options.network)
        let start = network.trace.start
        defer { network.trace.end(start, "options and their files read") }
        try ProcessSetup.checkOpenSSL()
        var given: [GivenFile] = []
        let note = note.telling { option, path in given.append(GivenFile(option: option, path: path)) }
        self.init(try VerificationTime(options.time))
        switch options.time.at {
        case .given(let moment)?: note("--at", Array("\(moment.sinceEpoch.components)".utf8))
        case .issue?: note("--at", Array("issued".utf8))
        case .now?, nil: break
        }
        requiresRevocation = trust.isRevocationRequired
        if requiresRevocation { note("--require-revocation", []) }
        if network.offline { note("--offline", []) }
        if network.allowPrivateNetwork { note("--allow-private-network", []) }
        if network.storage.maxStale > 0 { note("--max-stale", Array("\(network.storage.maxStale)".utf8)) }
        let trusted = try GivenTrust(trust, noting: note)
        for (source, proof) in trusted.proofs { network.trace.note(proof, of: source) }
        cards.trustedIssuers = trusted.issuers
        hcerts.signers = trusted.signers
        hcerts.anchors = trusted.issuers.anchors
        cards.maximumDirectoryAge = trust.maxDirectoryAge.map { .seconds($0 * 86_400) }
        hcerts.maximumListAge = cards.maximumDirectoryAge
        cards.requiresTrust = trust.isTrustRequired
        cards.isOffline = network.offline
        let givenKeys = try OptionFile.keys(keys.jwks.all, noting: note)
        cards.givenKeys = givenKeys.keys
        for list in givenKeys.signers { hcerts.signers.add(list) }
        try keys.checkOwner(of: givenKeys.ownerless, by: cards)
        cards.compromisedElsewhere = trusted.compromised
        hcerts.compromisedElsewhere = trusted.compromised
        (cards.givenLists, hcerts.revocations) = try OptionFile.revocations(keys.crl.all, noting: note)
        for type in options.records.recordType.all { note("--record-type", Array(type.utf8)) }
        if let since = options.records.since { note("--since", Array(since.utf8)) }
        if let until = options.records.until { note("--until", Array(until.utf8)) }
        recordQuery = try options.records.query()
        codeNames = try CodeNames(options.records.codes.all, noting: note)
        if let caFile = network.caFile { _ = try OptionFile.certificateAuthorities(caFile, noting: note) }
        try GivenFile.check(given, isTrustRequired: trust.isTrustRequired)
    }
}
