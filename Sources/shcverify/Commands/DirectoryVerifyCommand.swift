import ArgumentParser
import Credentials
import Cryptography
import Encodings
import HealthCertificates
import SMARTHealthCards

/// `shcverify directory verify FILE`: checks the signature of a snapshot, or the proof of a trust list; installs nothing.
struct DirectoryVerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration.of("directory verify")

    @Argument(help: .of("snapshot.directoryverify"), completion: .file()) var snapshot: String

    @Option(help: .of("signature"), completion: .file()) var signature: String?

    @Option(help: .of("certificate"), completion: .file()) var certificate: String?
    @Option(help: .of("list-key"), completion: .file()) var listKey: [GivenValues] = []

    func validate() throws {
        guard listKey.isEmpty || signature == nil && certificate == nil else {
            throw ValidationError(
                "--list-key is for trust lists, which hold their own proof; --signature and --certificate are for others."
            )
        }
    }

    func run() throws {
        guard let signature else { return try verifyList() }
        let signer = try SnapshotSigner(certificate: certificate)
        let snapshot = try OptionFile.read(self.snapshot, option: "directory", limit: Bounds.directorySize)
        let detached = try OptionFile.read(signature, option: "--signature", limit: SnapshotSigner.signatureLimit)
        guard signer.signed(snapshot, signature: detached) else {
            throw failure(
                .signatureInvalid,
                "the signature does not verify: the snapshot and the signature do not belong together, or somebody else signed it"
            )
        }
        let directory = try read { () throws(Malformed) in try IssuerDirectory(snapshot) }
        try StandardStreams.write(line: "signature valid: \(Self.words(for: directory))")
    }

    /// A short description of a directory.
    private static func words(for directory: IssuerDirectory) -> String {
        var text = "\(directory.entries.count) issuers"
        if directory.isSnapshot { text += ", \(directory.keyCount) keys" }
        if let time = directory.time { text += ", as of \(time.toTheSecond)" }
        return text
    }

    // MARK: Lists that hold their own proof

    private func verifyList() throws {
        try ProcessSetup.checkOpenSSL()
        var listKeys = try GivenListKeys(listKey.all)
        let bytes = try OptionFile.read(snapshot, option: "directory", limit: Bounds.directorySize)
        guard listKeys.areGiven else { return try verifyGermanList(bytes) }
        let list = try list(bytes)
        listKeys.compromised = list.compromised.provenAlone
        let keys = try listKeys.usable()
        guard let proof = list.proof else {
            throw failure(.malformed, "it is \(list.form.words), which has no proof of who made it")
        }
        let outcome = proof.outcome(by: keys)
        switch outcome {
        case .verified(let verified):
            try StandardStreams.write(line: Self.words(for: verified, list))
        case .invalid: throw failure(.signatureInvalid, outcome.words)
        case .noKey: throw failure(.noKey, outcome.words)
        case .absent, .uncheckable, .unchecked: throw failure(.malformed, outcome.words)
        }
    }

    private static func words(for verified: VerifiedList, _ list: SignerList) -> String {
        let key = "verified by the key \(verified.thumbprint)"
        guard list.form == .gdhcn else { return "signature valid: \(list.entries.count.counted("signer")), \(key)" }
        let environment = list.environment.map { "environment \($0.rawValue)" } ?? "of no known environment"
        let signer = verified.statement.signer?.description ?? ""
        let created = verified.statement.created.map { "\($0.toTheSecond)" } ?? ""
        return "proof valid: signed by \(signer) at \(created), \(environment), \(key)"
    }

    private func failure(_ reason: RunReason, _ problem: String) -> CommandFailure {
        CommandFailure(reason, problem, of: "shcverify: \(snapshot)")
    }

    private func list(_ bytes: [UInt8]) throws -> SignerList {
        try read { () throws(Malformed) in try SignerList(bytes) }
    }

    private func read<T>(_ body: () throws(Malformed) -> T) throws -> T {
        do throws(Malformed) {
            return try body()
        } catch {
            throw failure(.malformed, error.description)
        }
    }

    /// Checks the signature in the first line of a German trust list by the key of `--certificate`.
    private func verifyGermanList(_ bytes: [UInt8]) throws {
        guard let signed = SignedText(bytes) else {
            if let list = try? SignerList(bytes), list.form == .gdhcn {
                throw ValidationError(
                    "--list-key is needed: the keys that sign WHO's trust list, as the DID document that its proof names."
                )
            }
            throw ValidationError(
                "Give the snapshot's signature with --signature (VCI publishes it as vci_snapshot.sig). Without it, only a trust list that "
                    + "holds its own proof can be checked, such as WHO's with --list-key or the German one. \(snapshot) is not one of these."
            )
        }
        guard let path = certificate else {
            throw ValidationError(
                "--list-key or --certificate is needed: the key that signs the German trust list, as PEM.")
        }
        let pem = try OptionFile.read(path, option: "--certificate", limit: Bounds.inputSize)
        let key = try OptionFile.use(path, option: "--certificate") { () throws(Malformed) in
            try P256PublicKey(pem: pem)
        }
        guard !CompromisedKeys(privateKeysIn: pem).contains(.es256(key)) else {
            throw OptionFile.unusable(
                path, option: "--certificate", "it has the private half of the key, which only its owner may have")
        }
        guard signed.isSigned(by: key) else {
            throw failure(
                .signatureInvalid, "the signature does not verify: somebody changed the list, or another key signed it")
        }
        try StandardStreams.write(line: "signature valid: \(try list(bytes).entries.count.counted("signer"))")
    }
}
