internal import CLibraries

extension Certificate {
    /// Whether one of the anchors vouches for this certificate as that of a health certificate's signer: the anchor has signed
    /// it (one level: CSCA, DSC), or is this certificate and not that of an authority.
    ///
    /// This is not the path validation of RFC 5280 §6, which `CertificateAnchors` has for SMART Health Cards. OpenSSL's
    /// refuses certificates whose extensions it cannot read, and real signers have such ones. Here the signer's
    /// certificate must have a signature by the anchor that verifies, over a digest of 112 bits or more of security
    /// (not SHA-1 nor MD5), and name the anchor's subject as its issuer (RFC 5280 §7.1). What it says about itself does
    /// not matter: its version, serial number and dates, key identifiers, keyUsage, basicConstraints, and extensions of
    /// any kind. Check its dates separately.
    ///
    /// The anchor must be that of a certificate authority which may sign certificates, be valid at the moment, and have
    /// a key of 112 bits of security. It must have no name constraints and no critical extensions that OpenSSL does not
    /// know, since these are not looked at here. Nothing of this is asked of an anchor that is the certificate itself.
    ///
    /// - Parameters:
    ///   - anchors: the certificates that the verifier trusts. The order makes no difference.
    ///   - seconds: the time of the check, in seconds since 1970.
    ///   - isCompromised: whether the private half of an anchor's key is published, so that everyone can sign with it.
    /// - Returns: the error about the anchor that came closest, if none vouches for the certificate.
    package func isVouchedFor(
        by anchors: CertificateAnchors, at seconds: Int64, except isCompromised: (Certificate) -> Bool
    ) -> Result<Void, CertificateError> {
        guard isReadByOpenSSL else {
            return refused(.malformed, "cannot be read by OpenSSL")
        }
        guard !anchors.contains(self) else {
            guard isAuthority else { return .success(()) }
            return refused(.issuerMissing, "is itself an anchor, and an authority signs no health certificates")
        }
        let namesakes = anchors.issuers(of: self)
        guard !namesakes.isEmpty else {
            return refused(.issuerMissing, "was issued by \(issuer), which is none of the anchors")
        }
        let signers = namesakes.filter(isSigned)
        guard !signers.isEmpty else {
            return refused(.badSignature, "was issued by \(issuer), but not with the key of the anchor of that name")
        }
        let secret = signers.filter { !isCompromised($0) }
        guard !secret.isEmpty else {
            return .failure(CertificateError(burntKeyOf: signers[0], depth: 1))
        }
        guard hasStrongDigest else {
            return refused(.tooWeak, "is signed over a digest that can no longer be relied on, such as SHA-1")
        }
        var objection: CertificateError?
        for signer in secret {
            guard let problem = signer.problemAsAnchor(at: seconds) else { return .success(()) }
            objection = objection ?? problem
        }
        // There is a signer, so there is an objection to it.
        return .failure(objection ?? CertificateError(.failed, "no anchor vouches for the certificate"))
    }

    private func refused(_ reason: CertificateError.Reason, _ words: String) -> Result<Void, CertificateError> {
        .failure(CertificateError(reason, self, depth: 0, words))
    }

    /// Whether the certificate can only be that of an authority (CSCA), which signs the certificates of signers and nothing else,
    /// whatever is beside it in a file. For the others, see `AuthorityIndex`.
    package var isOnlyOfAuthority: Bool {
        isAuthority && (namesAsIssuer(self) || maySignCertificates && !maySign)
    }

    /// OpenSSL's security level 2.
    private static let minimumSecurity: Int32 = 112

    /// Whether the signature of this certificate is over a digest that can be relied on.
    private var hasStrongDigest: Bool {
        defer { ERR_clear_error() }
        var security: Int32 = 0
        // Unsafe: the pointer is that of a live object, and the call writes one number.
        let isKnown = unsafe withX509 { unsafe X509_get_signature_info($0, nil, nil, &security, nil) } == 1
        return isKnown && security >= Certificate.minimumSecurity
    }

    /// What speaks against this certificate as an anchor that has signed another certificate.
    private func problemAsAnchor(at seconds: Int64) -> CertificateError? {
        if hasUnreadableExtension { return CertificateError(unreadableExtensionOf: self, depth: 1) }
        defer { ERR_clear_error() }
        // Unsafe: the pointers are those of live objects. The key belongs to the certificate and is used only while it
        // lives. An X509 that is not an authority by basicConstraints may still be one, if it is of version 1.
        let (isAuthority, security, isOdd) = unsafe withX509 { certificate in
            let key = unsafe X509_get0_pubkey(certificate)
            return (
                unsafe X509_check_ca(certificate) != 0, unsafe EVP_PKEY_get_security_bits(key),
                unsafe X509_get_extension_flags(certificate) & UInt32(EXFLAG_CRITICAL) != 0
            )
        }
        guard maySignCertificates else {
            return CertificateError(
                .keyUsage, self, depth: 1,
                "issued another certificate, but its key may not sign certificates (keyUsage has no keyCertSign)")
        }
        guard isAuthority else {
            return CertificateError(
                .notAuthority, self, depth: 1,
                "issued another certificate, but is not a certificate authority (basicConstraints)")
        }
        guard security >= Certificate.minimumSecurity else {
            return CertificateError(.tooWeak, self, depth: 1, "has a key that is too weak to be relied on")
        }
        guard !constrainsNames else {
            return CertificateError(.nameConstraint, self, depth: 1, "has name constraints, which are not checked here")
        }
        guard !isOdd else {
            return CertificateError(.unsupported, self, depth: 1, "has a critical extension that is not supported")
        }
        return problems(at: seconds, depth: 1).first
    }
}
