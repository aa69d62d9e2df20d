import ArgumentParser
import JOSE
import SMARTHealthCards

/// Who signs the directory's snapshot.
struct SignerOptions: ParsableArguments {
    @Option(
        name: .customLong("certificate"),
        help: ArgumentHelp(
            "The certificate of the snapshot's signer, instead of VCI's, which is built in.", valueName: "pem"))
    var certificate: String?

    /// Bytes of a signature's file at most; one of P-521 has about 139.
    static let signatureLimit = 4096

    /// The key that has to have signed.
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

/// The signer of snapshots.
struct SnapshotSigner {
    let key: P521PublicKey

    /// Whether the signature is over these bytes (SHC-D3).
    func signed(_ snapshot: [UInt8], signature: [UInt8]) -> Bool {
        do throws(DetachedSignatureError) {
            try key.verify(signature, over: snapshot)
            return true
        } catch {
            return false
        }
    }
}
