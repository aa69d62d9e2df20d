import ArgumentParser
import Bytes
import Credentials
import Cryptography
import HealthCertificates
import SMARTHealthCards

/// `shcverify directory verify FILE`: checks the signature of a snapshot, or of the German trust list; installs nothing.
struct DirectoryVerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check the signature of a snapshot or of a German trust list; install nothing."
    )

    @Argument(help: "The snapshot, or the German list, which holds its own signature.", completion: .file())
    var snapshot: String

    @Option(
        name: .customLong("signature"), help: ArgumentHelp("The snapshot's signature, in DER.", valueName: "file"),
        completion: .file())
    var signature: String?

    @OptionGroup var signer: SignerOptions

    func run() throws {
        guard let signature else { return try verifyGermanList() }
        let certificate = try signer.signer()
        let snapshot = try OptionFile.read(self.snapshot, option: "directory", limit: Bounds.directorySize)
        let detached = try OptionFile.read(signature, option: "--signature", limit: SignerOptions.signatureLimit)
        guard certificate.signed(snapshot, signature: detached) else {
            StandardStreams.warn(
                "shcverify: \(self.snapshot): the signature does not verify: the snapshot and the signature do not belong "
                    + "together, or somebody else signed it")
            throw CommandExit.signatureInvalid
        }
        let directory = try DirectoryFiles.parse(snapshot, name: self.snapshot)
        try StandardStreams.write(Array("signature valid: \(DirectoryFiles.describe(directory))\n".utf8))
    }

    /// Checks the signature in the first line of a German trust list.
    private func verifyGermanList() throws {
        try ProcessSetup.checkOpenSSL()
        let bytes = try OptionFile.read(snapshot, option: "directory", limit: Bounds.directorySize)
        guard SignerList.signedPart(of: bytes) != nil else {
            throw ValidationError(
                "Give the snapshot's signature with --signature (VCI publishes it as vci_snapshot.sig). Without it, only a German trust list "
                    + "can be checked, which has its signature in its first line, and \(snapshot) is none."
            )
        }
        guard let path = signer.certificate else {
            throw ValidationError("--certificate is needed: the key that signs the German trust list, as PEM.")
        }
        let pem = try OptionFile.read(path, option: "--certificate", limit: Bounds.inputSize)
        let key: P256PublicKey
        do throws(CertificateFileError) {
            key = try P256PublicKey(pem: pem)
        } catch {
            throw OptionFile.unusable(path, option: "--certificate", "\(error)")
        }
        guard SignerList.isSigned(bytes, by: key) == true else {
            StandardStreams.warn(
                "shcverify: \(snapshot): the signature does not verify: somebody changed the list, or another key signed it"
            )
            throw CommandExit.signatureInvalid
        }
        let list: SignerList
        do throws(SignerListError) {
            list = try SignerList(bytes)
        } catch {
            StandardStreams.warn("shcverify: \(snapshot): \(error)")
            throw CommandExit.malformed
        }
        try StandardStreams.write(
            Array("signature valid: \(list.entries.count.counted("signer"))\n".utf8))
    }
}
