internal import COpenSSL

extension CertificateError {
    /// What OpenSSL found on a path.
    ///
    /// - Parameters:
    ///   - code: one of OpenSSL's X509_V_ERR.
    ///   - certificate: the certificate that it is about, if OpenSSL named one.
    ///   - depth: that certificate's place on the path.
    ///   - others: what the path could have led over.
    ///   - anchors: where it should have ended.
    init(
        openSSL code: Int32, _ certificate: Certificate?, depth: Int, others: [Certificate], anchors: [Certificate]
    ) {
        guard let certificate else {
            self.init(
                CertificateError.reason(for: code),
                "the path of certificates is not acceptable: \(CertificateError.words(for: code))")
            return
        }
        var reason = CertificateError.reason(for: code)
        // To OpenSSL an authority with a keyUsage that is not for certificates is none at all.
        if reason == .notAuthority, certificate.isAuthority, !certificate.maySignCertificates { reason = .keyUsage }
        // And it does not take for an issuer what it could not read.
        if reason == .issuerMissing,
            let issuer = others.first(where: { certificate.namesAsIssuer($0) && $0.hasUnreadableExtension })
        {
            self.init(unreadableExtensionOf: issuer, depth: depth + 1)
            return
        }
        let words =
            switch reason {
            case .expired: "expired at \(certificate.validTo?.text ?? "a time that is no date")"
            case .notYetValid: "is valid only from \(certificate.validFrom?.text ?? "a time that is no date")"
            case .unknownRoot: "signed itself and is not one of the anchors"
            case .issuerMissing: CertificateError.missingIssuer(of: certificate, others, anchors)
            case .notAuthority: "issued another, and is not one of a certificate authority (basicConstraints)"
            case .keyUsage: "issued another, and its key is not for that (keyUsage has no keyCertSign)"
            case .pathLength: "allows fewer authorities below it than there are (pathLenConstraint)"
            case .badSignature: "has a signature that does not verify under its issuer's key"
            case .nameConstraint where code == X509_V_ERR_PERMITTED_VIOLATION:
                "has a name outside those that an authority above it may certify (name constraints)"
            case .nameConstraint where code == X509_V_ERR_EXCLUDED_VIOLATION:
                "has a name that an authority above it may not certify (name constraints)"
            case .nameConstraint:
                "has a name that cannot be held against the name constraints above it: \(CertificateError.words(for: code))"
            case .tooWeak: "is too weak to be relied on: \(CertificateError.words(for: code))"
            default: "is not acceptable: \(CertificateError.words(for: code))"
            }
        self.init(reason, certificate, depth: depth, words)
    }

    private static func missingIssuer(
        of certificate: Certificate, _ others: [Certificate], _ anchors: [Certificate]
    ) -> String {
        let words = "was issued by \(certificate.issuer), "
        if anchors.contains(where: certificate.namesAsIssuer) {
            return words + "by another key than that of the anchor of this name"
        }
        if others.contains(where: certificate.namesAsIssuer) {
            return words + #"by another key than that of the certificate of this name in "x5c""#
        }
        return words + #"which is neither in "x5c" nor one of the anchors"#
    }

    /// OpenSSL's own words.
    private static func words(for code: Int32) -> String {
        // Unsafe: a C string that lives as long as the process.
        let words = unsafe X509_verify_cert_error_string(Int(code))
        return unsafe words.map { unsafe String(cString: $0) } ?? "error \(code)"
    }

    private static func reason(for code: Int32) -> Reason {
        switch code {
        case X509_V_ERR_CERT_HAS_EXPIRED: .expired
        case X509_V_ERR_CERT_NOT_YET_VALID: .notYetValid
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN: .unknownRoot
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_CERT_UNTRUSTED:
            .issuerMissing
        case X509_V_ERR_INVALID_CA, X509_V_ERR_INVALID_NON_CA: .notAuthority
        case X509_V_ERR_KEYUSAGE_NO_CERTSIGN: .keyUsage
        case X509_V_ERR_PATH_LENGTH_EXCEEDED: .pathLength
        case X509_V_ERR_CERT_CHAIN_TOO_LONG: .tooLarge
        case X509_V_ERR_CERT_SIGNATURE_FAILURE, X509_V_ERR_UNABLE_TO_DECRYPT_CERT_SIGNATURE,
            X509_V_ERR_SIGNATURE_ALGORITHM_MISMATCH, X509_V_ERR_SIGNATURE_ALGORITHM_INCONSISTENCY:
            .badSignature
        case X509_V_ERR_PERMITTED_VIOLATION, X509_V_ERR_EXCLUDED_VIOLATION, X509_V_ERR_SUBTREE_MINMAX,
            X509_V_ERR_UNSUPPORTED_CONSTRAINT_TYPE, X509_V_ERR_UNSUPPORTED_CONSTRAINT_SYNTAX,
            X509_V_ERR_UNSUPPORTED_NAME_SYNTAX:
            .nameConstraint
        case X509_V_ERR_EE_KEY_TOO_SMALL, X509_V_ERR_CA_KEY_TOO_SMALL, X509_V_ERR_CA_MD_TOO_WEAK: .tooWeak
        case X509_V_ERR_UNHANDLED_CRITICAL_EXTENSION, X509_V_ERR_UNSUPPORTED_EXTENSION_FEATURE,
            X509_V_ERR_PROXY_CERTIFICATES_NOT_ALLOWED, X509_V_ERR_EC_KEY_EXPLICIT_PARAMS,
            X509_V_ERR_UNSUPPORTED_SIGNATURE_ALGORITHM:
            .unsupported
        case X509_V_ERR_INVALID_EXTENSION, X509_V_ERR_INVALID_POLICY_EXTENSION, X509_V_ERR_NO_ISSUER_PUBLIC_KEY,
            X509_V_ERR_UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY, X509_V_ERR_ERROR_IN_CERT_NOT_BEFORE_FIELD,
            X509_V_ERR_ERROR_IN_CERT_NOT_AFTER_FIELD:
            .malformed
        case X509_V_ERR_NO_EXPLICIT_POLICY: .policy
        default: .failed
        }
    }
}
