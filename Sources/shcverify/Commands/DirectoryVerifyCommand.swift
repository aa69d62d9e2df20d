import ArgumentParser
import Credentials
import SMARTHealthCards

/// `shcverify directory verify FILE --signature FILE`: checks a snapshot's signature, installs nothing.
struct DirectoryVerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check the signature of a snapshot; install nothing.")

    @Argument(help: "The snapshot.")
    var snapshot: String

    @Option(name: .customLong("signature"), help: ArgumentHelp("The snapshot's signature, in DER.", valueName: "file"))
    var signature: String

    @OptionGroup var signer: SignerOptions

    func run() throws {
        let certificate = try signer.signer()
        let snapshot = try OptionFile.read(self.snapshot, option: "directory", limit: Bounds.directorySize)
        let signature = try OptionFile.read(self.signature, option: "--signature", limit: SignerOptions.signatureLimit)
        guard certificate.signed(snapshot, signature: signature) else {
            StandardStreams.warn(
                "shcverify: \(self.snapshot): the signature does not verify: the snapshot and the signature do not belong "
                    + "together, or somebody else signed it")
            throw CommandExit.signatureInvalid
        }
        let directory = try DirectoryFiles.parse(snapshot, name: self.snapshot)
        try StandardStreams.write(Array("signature valid: \(DirectoryFiles.describe(directory))\n".utf8))
    }
}
