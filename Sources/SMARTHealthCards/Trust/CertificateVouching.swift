package import Credentials
package import Cryptography
import Encodings

/// The result of checking whether certificates vouch for an issuer that is on no list (SHC-K8).
package struct CertificateVouching {
    /// A valid path from the certificate of one of the keys to an anchor; nil if there is none.
    package fileprivate(set) var path: CertificatePath?
    /// The keys whose certificates vouch for the issuer.
    package fileprivate(set) var keys: Set<P256PublicKey> = []
    /// Why one of the certificates does not vouch for the issuer; nil if all do, or if no usable key has a certificate.
    package fileprivate(set) var objection: CertificateError?
    /// Whether all certificates were checked. If not, one that was left out because of `Bounds.certifiedEntries` may vouch as well.
    package fileprivate(set) var isComplete = true
}

extension CertificateAnchors {
    /// Checks whether the certificates in entries of a key set vouch for an issuer.
    ///
    /// - Parameters:
    ///   - entries: the entries with the card's key ID. Only the first `Bounds.certifiedEntries` with certificates are checked.
    ///   - issuer: the issuer.
    ///   - now: the moment at which the certificates must be valid.
    ///   - compromised: the keys whose private half is published. No path over one of them counts.
    package func vouching(
        for entries: some Collection<JWK>, of issuer: Issuer, at now: NumericDate,
        refusing compromised: [CompromisedKeys]
    ) -> CertificateVouching {
        var vouching = CertificateVouching()
        let certified = entries.filter { $0.value.optional("x5c") != nil }
        vouching.isComplete = certified.count <= Bounds.certifiedEntries
        for entry in certified.prefix(Bounds.certifiedEntries) {
            do throws(CertificateError) {
                vouching.path = try validate(
                    entry, for: issuer.url, at: now.sinceEpoch.components.seconds, refusing: compromised)
                if let key = try? entry.publicKey() { vouching.keys.insert(key) }
            } catch {
                // The certificate of a key that cannot be used says nothing about the other keys.
                guard error.reason != .noCertificate, error.reason != .unusableKey else { continue }
                vouching.objection = vouching.objection ?? error
            }
        }
        return vouching
    }
}
