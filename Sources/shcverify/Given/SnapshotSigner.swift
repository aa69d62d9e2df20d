import Credentials
import Cryptography
import SMARTHealthCards

/// The key that signs snapshots.
struct SnapshotSigner {
    let key: P521PublicKey

    /// The signer whose signature is required: that of `--certificate`, or VCI.
    init(_ options: SignerOptions) throws {
        try ProcessSetup.checkOpenSSL()
        guard let certificate = options.certificate else {
            key = try VCISigner.publicKey()
            return
        }
        let pem = try OptionFile.read(certificate, option: "--certificate", limit: Bounds.inputSize)
        do throws(CertificateFileError) {
            key = try P521PublicKey(certificate: pem)
        } catch {
            throw CommandFailure(.usage, "--certificate \(certificate): \(error)")
        }
    }

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
