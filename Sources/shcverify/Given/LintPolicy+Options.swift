import ArgumentParser
import Conformance
import Credentials
import FHIR
import HealthCertificates
import SMARTHealthCards

extension LintPolicy {
    /// Reads the files that the options name.
    ///
    /// - Parameter given: is set to the files of options that are linted too.
    init(_ command: LintCommand, given givenFiles: inout [LintRun.GivenFile]) throws {
        try ProcessSetup.checkOpenSSL()
        var files: [LintRun.GivenFile] = []
        defer { givenFiles = files }
        let apps = command.links.apps
        let observer = ValueObserver { given in
            guard let path = given.path, let form = given.form else { return }
            // The keys of an app are no issuer's: its key IDs may be any text.
            if let issuer = given.issuer, form == .jwks, apps.contains(issuer) { return }
            files.append(
                LintRun.GivenFile(
                    source: path, bytes: given.content(), json: given.json, kind: form, issuer: given.issuer))
        }
        self.init(now: try NumericDate(at: command.rules.at))
        profiles = command.rules.profile.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        self.apps = apps
        namesRecipient = command.links.namedRecipient != nil
        codeNames = try CodeNames([])
        issuer = command.rules.publisher.map { Issuer(unchecked: $0) }
        waivedRules = command.rules.exclusions.waivedRules
        let trusted = try GivenTrust(command.trust, command.keys, observedBy: observer)
        for (source, proof) in trusted.proofs { command.network.trace.note(proof, of: source) }
        listKeys = trusted.listKeys
        trustedIssuers = trusted.issuers
        signers = trusted.signers
        compromisedElsewhere = trusted.compromised
        givenKeys = trusted.keys
        if let file = trusted.ownerlessKeys, apps.count > 1, profiles.contains(.patientApp) {
            throw ValidationError(
                "--jwks \(file) does not say whose keys it has, and several apps are named: the owner of one of these keys could attest "
                    + "as any of them. Write --jwks ISS=\(file), with the URL of the app whose keys these are.")
        }
        (givenLists, revocations) = try OptionFile.revocations(command.keys.crl.all, observedBy: observer)
        if let signature = command.rules.signature {
            snapshotSignature = try OptionFile.read(
                signature, option: "--signature", limit: SnapshotSigner.signatureLimit)
            snapshotSigner = try SnapshotSigner(certificate: command.rules.certificate).key
        }
    }
}
