package import Credentials
package import Cryptography
import JSON

/// A key that signs certificates, with what its certificate and its list say about it.
package final class Signer: Sendable {
    /// The key, which is used only with the algorithm of its kind.
    package enum Key: Sendable {
        case es256(P256PublicKey)
        case ps256(PS256PublicKey)
        /// The key cannot be used, with the reason in words that follow "it is".
        case unusable(String)
    }

    /// The key.
    package let key: Key
    /// The signer's certificate; nil if the list has only a key.
    package let certificate: Certificate?
    /// The groups of records that the key may sign.
    package let usages: Set<RecordGroup>
    /// The country of the certificate's subject, or else that of the list.
    package let country: String?
    /// The country of the certificate's subject, in small letters; nil if there is none.
    let certifiedCountry: UTF8Text?
    /// Whether the key ID of the list is that of the certificate. True if there is no certificate.
    package let isLabelledByHash: Bool
    /// Where the key comes from.
    package let origin: KeyOrigin
    /// Why the signer is trusted, if it counts.
    package let trust: IssuerTrust
    /// Whether the certificate has to be signed by one of the anchors, if there are any.
    package let needsAnchor: Bool
    /// From when the certificate is valid; nil if there is none, or if the date cannot be read.
    package let notBefore: NumericDate?
    /// Through which moment the certificate is valid; nil if there is none, or if the date cannot be read.
    package let notAfter: NumericDate?

    init(
        key: Key, certificate: Certificate?, listedUsages: Set<RecordGroup>?, listedCountry: String?,
        isLabelledByHash: Bool, entry: SignerEntry
    ) {
        self.key = key
        self.certificate = certificate
        let certifiedUsages = certificate.map { CertificateUsage.groups(of: $0) } ?? Set(RecordGroup.allCases)
        usages = certifiedUsages.intersection(listedUsages ?? certifiedUsages)
        let certified = certificate?.subjectCountry
        country = certified ?? listedCountry
        certifiedCountry = certified.map { UTF8Text($0).asciiLowercased }
        self.isLabelledByHash = isLabelledByHash
        origin = entry.origin
        trust = entry.origin == .jwksFile ? .jwks : .directory
        needsAnchor = entry.needsAnchor
        notBefore = certificate?.notBefore.map { NumericDate(sinceEpoch: .seconds($0)) }
        notAfter = certificate?.notAfter.map { NumericDate(sinceEpoch: .seconds($0)) }
    }

    /// The same signer with a key that cannot be used.
    ///
    /// - Parameter words: the reason, in words that follow "it is".
    func unusable(_ words: String) -> Signer { Signer(self, key: .unusable(words)) }

    private init(_ other: Signer, key: Key) {
        self.key = key
        certificate = other.certificate
        usages = other.usages
        country = other.country
        certifiedCountry = other.certifiedCountry
        isLabelledByHash = other.isLabelledByHash
        origin = other.origin
        trust = other.trust
        needsAnchor = other.needsAnchor
        notBefore = other.notBefore
        notAfter = other.notAfter
    }

    /// Whether the certificate is valid at a moment. True if there is no certificate.
    package func isValid(at now: NumericDate) -> Bool {
        guard certificate != nil else { return true }
        guard let notBefore, let notAfter else { return false }
        return notBefore <= now && now <= notAfter
    }

    /// The certificate, as reports show it.
    package var description: SignerCertificate? {
        guard let certificate else { return nil }
        return SignerCertificate(
            subject: certificate.plainSubject, country: country, notBefore: notBefore, notAfter: notAfter,
            usages: RecordGroup.allCases.filter(usages.contains).map(\.name))
    }
}

extension RecordGroup {
    /// The name of the group: `vaccination`, `test` or `recovery`.
    package var name: String {
        switch self {
        case .vaccination: "vaccination"
        case .test: "test"
        case .recovery: "recovery"
        }
    }
}

/// The extended key usages that restrict a signer to groups of records (DCC certificate governance §5.2).
package enum CertificateUsage {
    /// The object identifiers of each group. Real certificates use both arcs.
    private static let groups: [String: RecordGroup] = [
        "1.3.6.1.4.1.1847.2021.1.1": .test, "1.3.6.1.4.1.1847.2021.1.2": .vaccination,
        "1.3.6.1.4.1.1847.2021.1.3": .recovery, "1.3.6.1.4.1.0.1847.2021.1.1": .test,
        "1.3.6.1.4.1.0.1847.2021.1.2": .vaccination, "1.3.6.1.4.1.0.1847.2021.1.3": .recovery,
    ]

    /// The groups that a certificate's key may sign. A certificate that names none of them may sign all, and one whose usages
    /// cannot be read none.
    package static func groups(of certificate: Certificate) -> Set<RecordGroup> {
        switch certificate.extendedKeyUsages {
        case .any: return Set(RecordGroup.allCases)
        case .named(let usages):
            let named = Set(usages.compactMap { groups[$0] })
            return named.isEmpty ? Set(RecordGroup.allCases) : named
        case .unreadable: return []
        }
    }
}
