/// Who signs the snapshots of the VCI directory (SHC-D2, SHC-D3).
public enum VCISigner {
    /// The key that snapshots are signed with, on P-521.
    ///
    /// It is that of vci_snapshot.crt in github.com/the-commons-project/vci-directory, commit 27cab72: a certificate that
    /// the key signed itself, of CN=vci.org, valid from 2022-03-17 to 2032-03-14, the SHA-256 of whose DER is
    /// c3e44e40a20e6d54a5ad247e9ddd07763708cec1aa9acd47a408a3cc28f320fb.
    ///
    /// The SHA-256 of the key, of the bytes below in DER, is
    /// 33f79a469f7d4fa3f9440912a373c0dbf2bd67f330dba2b8fa954bb39d0201db. To compare:
    ///
    ///     openssl x509 -in vci_snapshot.crt -pubkey -noout | openssl pkey -pubin -outform DER | sha256sum
    ///
    /// The key is pinned, not the certificate: that one's dates and names decide nothing.
    private static let subjectPublicKeyInfo =
        "MIGbMBAGByqGSM49AgEGBSuBBAAjA4GGAAQBeZ5TYVjzm5ABOpAnzZxbgWvr03Mi"
        + "YKcMIfIFUZ3kKRFf4Cn3klPwqFARHS8VR+uieGeWYhJ6Ekat5l2ctlSXlW0BkMLg"
        + "n60eZhy0SNIz/V/U/4YsAvw96nePmr2Q9oJHjf4J1vER5szp3Or3Ko3/TFVF5Zh0"
        + "fBjzvcfdkmR5fD8S2TM="

    /// The pinned key.
    ///
    /// - Throws: `CertificateFileError` only if OpenSSL has no P-521, or no memory.
    public static func publicKey() throws(CertificateFileError) -> P521PublicKey {
        do {
            return try P521PublicKey(subjectPublicKeyInfo: Base64.decode(Array(subjectPublicKeyInfo.utf8)))
        } catch let error as CertificateFileError {
            // An OpenSSL without P-521, or without memory, as which no test can pose.
            throw error
        } catch {
            // The text above is base64, so this is for the compiler.
            throw CertificateFileError(.malformed, "the pinned key is not base64: \(error)")
        }
    }
}
