import JOSE
import SMARTHealthCards

extension Rule {
    /// The list of issuers is not signed; what a snapshot says is worth what its signature is.
    static let snapshotSignature = Rule(
        "directory-error", "signature", .d3,
        requirement: "The snapshot's signature, ECDSA with SHA-512 by the directory's P-521 key, is over the "
            + "file's bytes.",
        remedy: "Take the snapshot and its signature from one commit, and change not a byte of either.",
        check: .directory { directory in
            guard let signature = directory.policy.snapshotSignature else { return [] }
            guard let key = directory.policy.snapshotSigner ?? (try? VCISigner.publicKey()) else {
                return [Problem("the directory's key cannot be used here, so the signature was not checked")]
            }
            do throws(DetachedSignatureError) {
                try key.verify(signature, over: directory.document.input ?? directory.document.text)
                return []
            } catch {
                return [Problem("the signature does not verify: \(error)")]
            }
        })
}
