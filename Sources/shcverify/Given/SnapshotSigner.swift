import Credentials
import Cryptography
import Encodings
import SMARTHealthCards

/// The key that signs snapshots.
struct SnapshotSigner {
    let key: P521PublicKey

    /// The maximum size of a signature file in bytes. A P-521 signature has about 139.
    static let signatureLimit = 4096

    /// The signer whose signature is required: that of `--certificate`, or VCI.
    init(certificate: String?) throws {
        try ProcessSetup.checkOpenSSL()
        guard let certificate else {
            key = try VCISigner.publicKey()
            return
        }
        let pem = try OptionFile.read(certificate, option: "--certificate", limit: Bounds.inputSize)
        key = try OptionFile.use(certificate, option: "--certificate") { () throws(Malformed) in
            try P521PublicKey(certificate: pem)
        }
    }

    /// Whether a signature over the snapshot verifies (SHC-D3).
    func signed(_ snapshot: [UInt8], signature: [UInt8]) -> Bool { (try? key.verify(signature, over: snapshot)) != nil }
}
