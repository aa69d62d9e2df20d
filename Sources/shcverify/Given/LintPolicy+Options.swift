import ArgumentParser
import Conformance
import Credentials
import Encodings
import FHIR
import HealthCertificates

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
        var seen: Set<GivenProfile> = []
        for profile in command.rules.profile where seen.insert(profile).inserted {
            switch profile {
            case .named(let name): profiles.append(name)
            case .file(let path): try add(ownProfile: path)
            }
        }
        self.apps = apps
        namesRecipient = command.links.namedRecipient != nil
        codeNames = try CodeNames([])
        issuer = command.rules.publisher.map { Issuer(unchecked: $0) }
        let ownRules = ownProfiles.flatMap(\.rules)
        try command.rules.exclusions.validate(besides: ownRules)
        waivedRules = command.rules.exclusions.waivedRules(besides: ownRules)
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

    /// Adds a profile of the user's own. Its name is that of the file.
    private mutating func add(ownProfile path: String) throws {
        let file = Array(path.utf8).split(separator: UInt8(ascii: "/")).last ?? []
        let name = String(decoding: file.prefix { $0 != UInt8(ascii: ".") }, as: UTF8.self)
        guard !ownProfiles.contains(where: { $0.name == name }) else {
            throw OptionFile.unusable(
                path, option: "--profile", "an earlier file has the same name, so its rules would too")
        }
        guard ownProfiles.count < Self.mostOwnProfiles else {
            throw ValidationError("--profile takes at most \(Self.mostOwnProfiles) files.")
        }
        let text = try OptionFile.read(path, option: "--profile", limit: OwnProfile.largestSize)
        ownProfiles.append(
            try OptionFile.use(path, option: "--profile") { () throws(Malformed) in
                try OwnProfile(text, name: name)
            })
    }

    /// How many files `--profile` takes.
    private static let mostOwnProfiles = 16
}
