import ArgumentParser
import Credentials
import Cryptography
import SMARTHealthCards

/// The signer of a directory's snapshot.
struct SignerOptions: ParsableArguments {
    @Option(
        name: .customLong("certificate"),
        help: ArgumentHelp(
            "The certificate of the snapshot's signer. By default, it is VCI's, which is built in. For a German trust list: its "
                + "signing key.", valueName: "pem"), completion: .file())
    var certificate: String?

    /// The maximum size of a signature file in bytes. A P-521 signature has about 139.
    static let signatureLimit = 4096

    /// The signer whose signature is required: that of `--certificate`, or VCI.
    func signer() throws -> SnapshotSigner {
        try ProcessSetup.checkOpenSSL()
        guard let certificate else { return SnapshotSigner(key: try VCISigner.publicKey()) }
        let pem = try OptionFile.read(certificate, option: "--certificate", limit: Bounds.inputSize)
        do throws(CertificateFileError) {
            return SnapshotSigner(key: try P521PublicKey(certificate: pem))
        } catch {
            StandardStreams.warn("shcverify: --certificate \(certificate): \(error)")
            throw CommandExit.usage
        }
    }
}

/// The key that signs snapshots.
struct SnapshotSigner {
    let key: P521PublicKey

    /// Whether a signature over the snapshot verifies (SHC-D3).
    func signed(_ snapshot: [UInt8], signature: [UInt8]) -> Bool {
        do throws(DetachedSignatureError) {
            try key.verify(signature, over: snapshot)
            return true
        } catch {
            return false
        }
    }
}
