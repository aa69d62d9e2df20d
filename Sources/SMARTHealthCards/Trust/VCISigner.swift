package import Cryptography
package import Encodings

/// The signer of the VCI directory's snapshots (SHC-D2, SHC-D3).
package enum VCISigner {
    /// The P-521 public key that snapshots are signed with, as base64 DER (SubjectPublicKeyInfo).
    ///
    /// It comes from the certificate vci_snapshot.crt in github.com/the-commons-project/vci-directory, commit 27cab72. The
    /// certificate is self-signed, for CN=vci.org, and valid from 2022-03-17 to 2032-03-14. The SHA-256 of its DER is
    /// c3e44e40a20e6d54a5ad247e9ddd07763708cec1aa9acd47a408a3cc28f320fb.
    ///
    /// The SHA-256 of the key in DER is
    /// 33f79a469f7d4fa3f9440912a373c0dbf2bd67f330dba2b8fa954bb39d0201db. To compare:
    ///
    ///     openssl x509 -in vci_snapshot.crt -pubkey -noout | openssl pkey -pubin -outform DER | sha256sum
    ///
    /// The key is pinned, not the certificate, so the certificate's dates and names do not matter.
    private static let subjectPublicKeyInfo =
        "MIGbMBAGByqGSM49AgEGBSuBBAAjA4GGAAQBeZ5TYVjzm5ABOpAnzZxbgWvr03Mi"
        + "YKcMIfIFUZ3kKRFf4Cn3klPwqFARHS8VR+uieGeWYhJ6Ekat5l2ctlSXlW0BkMLg"
        + "n60eZhy0SNIz/V/U/4YsAvw96nePmr2Q9oJHjf4J1vER5szp3Or3Ko3/TFVF5Zh0"
        + "fBjzvcfdkmR5fD8S2TM="

    /// The pinned key.
    ///
    /// - Throws: `Malformed` only if OpenSSL has no P-521, or no memory.
    package static func publicKey() throws(Malformed) -> P521PublicKey {
        let der = Result { () throws(Base64Error) in try Base64.decode(Array(subjectPublicKeyInfo.utf8)) }
        return try P521PublicKey(
            subjectPublicKeyInfo: der.mapError { Malformed("the pinned key is not base64: \($0)") }.get())
    }
}
