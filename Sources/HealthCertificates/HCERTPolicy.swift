public import Credentials
package import Cryptography
public import FHIR

/// The rules by which EU Digital COVID Certificates are verified.
public struct HCERTPolicy: Sendable {
    /// The moment for which certificates are verified.
    public var now: NumericDate
    /// The trusted signers. Without any, no certificate can be verified.
    public var signers = TrustedSigners()
    /// The keys whose private half is published in what was given for other kinds of credential, such as
    /// `CardPolicy.compromisedKeys`. They verify nothing.
    package var compromisedElsewhere = CompromisedKeys()
    /// The authorities (CSCA) that must have signed the signers' certificates, in lists whose makers did not check that; nil if that
    /// is not required.
    package var anchors: CertificateAnchors?
    /// The largest age of a dated list; nil for any age.
    public var maximumListAge: Duration?
    /// Batches of revoked certificates.
    package var revocations: [RevocationBatch] = []
    /// Whether a certificate fails (`ReasonCode.revocationUnavailable`) if no list of revoked certificates was given that could name
    /// it.
    public var requiresRevocation = false
    /// The records that a certificate must contain; nil if any record will do.
    public var recordQuery: RecordQuery?
    /// Names for codes.
    public var codeNames = CodeNames.builtIn

    /// Creates a policy without trusted signers.
    package init(now: NumericDate) {
        self.now = now
    }

    /// Whether the policy insists that revocation is checked.
    var revocationRequirement: RevocationRequirement { requiresRevocation ? .required : .notAsked }

    /// Why a link in a certificate holds nothing that passes, if nobody opens it. It is the verdict on a certificate that no credential
    /// for its link follows.
    package var failureOfUnopenedLink: @Sendable (WrappedLink, NumericDate) -> VerificationFailure = { _, _ in
        VerificationFailure(.linkUnavailable, "the link in the certificate is not followed here", isUnasked: true)
    }

    /// The moment at which the ages of lists are counted; nil if it is `now`. It differs from `now` if certificates are verified as of
    /// another time than that of the clock.
    package var listsAreJudgedAt: NumericDate?

    /// Whether the private half of a certificate's key is published in something that was given.
    package func isCompromised(_ certificate: Certificate) -> Bool {
        signers.compromisedKeys.contains(certificate) || compromisedElsewhere.contains(certificate)
    }

    /// Whether a signer has only a key, and it is that of an authority (CSCA) whose certificate was given. It verifies nothing.
    func isAuthorityWithoutCertificate(_ signer: Signer) -> Bool {
        guard signer.certificate == nil, case .success(let key) = signer.key else { return false }
        return signers.isAuthorityWithoutCertificate(signer)
            || anchors?.certificates.contains { anchor in
                guard anchor.isAuthority, case .success(let own) = anchor.publicKey else { return false }
                return own.number == key.number
            } == true
    }

    /// Whether a list of this date counts.
    func isRecent(_ retrieved: NumericDate) -> Bool {
        guard let maximumListAge else { return true }
        let age = (listsAreJudgedAt ?? now).sinceEpoch - retrieved.sinceEpoch
        // A date far in the future says nothing about the age of the list.
        return age <= maximumListAge && age > .seconds(-86_400)
    }
}
