internal import CLibraries

/// Why a certificate, or the path from it to an anchor, was rejected (SHC-K7, SHC-K8, RFC 5280 §6).
package struct CertificateError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of error.
    package enum Reason: Sendable, CaseIterable {
        /// The key has no certificate.
        case noCertificate
        /// `x5c` is not an array of certificates in base64 DER, or a field of one cannot be read.
        case malformed
        /// There are more or longer certificates than any real key has.
        case tooLarge
        /// The JWK cannot be used as a key, so no certificate can match it.
        case unusableKey
        /// The key of the leaf is not the key of the JWK.
        case otherKey
        /// The leaf's Subject Alternative Name has no URI equal to the issuer.
        case otherName
        /// A certificate has expired.
        case expired
        /// A certificate is not valid yet.
        case notYetValid
        /// The path ends at a self-signed certificate that is not an anchor.
        case unknownRoot
        /// The path ends at a certificate whose issuer is neither in `x5c` nor an anchor: an intermediate certificate
        /// is missing, or the root is unknown.
        case issuerMissing
        /// A certificate issued another one, but is not that of a certificate authority.
        case notAuthority
        /// A keyUsage extension does not allow the use of the key.
        case keyUsage
        /// There are more certificates below an authority than its path length allows.
        case pathLength
        /// A name violates an authority's name constraints, or is of a kind that cannot be checked against them.
        case nameConstraint
        /// A signature does not verify with the issuer's key.
        case badSignature
        /// A key or a digest is too weak.
        case tooWeak
        /// A certificate has a critical extension, or a kind of key, that is not supported.
        case unsupported
        /// An authority requires a certificate policy that is not valid on this path.
        case policy
        /// OpenSSL failed for another reason, or ran out of memory.
        case failed
    }

    /// The kind of error.
    package let reason: Reason
    /// The position of the certificate that the error is about: 0 is the leaf, 1 the leaf's issuer. Nil if the error is
    /// about no single certificate.
    package let depth: Int?
    /// That certificate's subject in quotation marks, shortened and safe to print. Nil if it cannot be read.
    package let subject: String?
    /// What was expected and what was found, with certificate and depth. Safe to print.
    package let message: String

    /// Makes an error. Without `depth`, it is about no single certificate.
    package init(_ reason: Reason, depth: Int? = nil, _ message: String) {
        self.reason = reason
        self.depth = depth
        subject = nil
        self.message = message
    }

    /// An error about a certificate.
    ///
    /// - Parameter words: the text after the certificate's name.
    init(_ reason: Reason, _ certificate: Certificate, depth: Int, _ words: String) {
        self.reason = reason
        self.depth = depth
        subject = certificate.subject
        message = "the certificate \(certificate.subject) (depth \(depth)) \(words)"
    }

    init(unreadableExtensionOf certificate: Certificate, depth: Int) {
        self.init(.malformed, certificate, depth: depth, "has an extension that cannot be read, or the same one twice")
    }

    init(burntKeyOf certificate: Certificate, depth: Int) {
        self.init(
            .tooWeak, certificate, depth: depth, "has a key whose private half is published, so anyone can sign with it"
        )
    }

    /// The error for a key without `x5c`.
    package static let noCertificate = CertificateError(.noCertificate, #"the key has no certificate ("x5c")"#)

    /// The message.
    package var description: String { message }
}

extension CertificateError {
    /// Describes the error that OpenSSL found on a path.
    ///
    /// - Parameters:
    ///   - code: an X509_V_ERR code of OpenSSL.
    ///   - certificate: the certificate that it is about, if OpenSSL named one.
    ///   - depth: the position of that certificate on the path.
    ///   - others: the certificates that the path could have used.
    ///   - anchors: the anchors at which it could have ended.
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
        // OpenSSL does not regard a certificate as an authority if its keyUsage does not allow signing certificates.
        if reason == .notAuthority, certificate.isAuthority, !certificate.maySignCertificates { reason = .keyUsage }
        // OpenSSL does not use a certificate as an issuer if it could not read it.
        if reason == .issuerMissing,
            let issuer = others.first(where: { certificate.namesAsIssuer($0) && $0.hasUnreadableExtension })
        {
            self.init(unreadableExtensionOf: issuer, depth: depth + 1)
            return
        }
        let words =
            switch reason {
            case .expired: "expired at \(certificate.validTo?.text ?? "an unreadable date")"
            case .notYetValid: "is valid only from \(certificate.validFrom?.text ?? "an unreadable date")"
            case .unknownRoot: "signed itself and is not one of the anchors"
            case .issuerMissing: CertificateError.missingIssuer(of: certificate, others, anchors)
            case .notAuthority: "issued another certificate, but is not a certificate authority (basicConstraints)"
            case .keyUsage:
                "issued another certificate, but its key may not sign certificates (keyUsage has no keyCertSign)"
            case .pathLength: "allows fewer authorities below it than there are (pathLenConstraint)"
            case .badSignature: "has a signature that does not verify under its issuer's key"
            case .nameConstraint where code == X509_V_ERR_PERMITTED_VIOLATION:
                "has a name outside those that an authority above it may certify (name constraints)"
            case .nameConstraint where code == X509_V_ERR_EXCLUDED_VIOLATION:
                "has a name that an authority above it may not certify (name constraints)"
            case .nameConstraint:
                "has a name that cannot be checked against the name constraints above it: \(CertificateError.words(for: code))"
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
            return words + "but not with the key of the anchor of that name"
        }
        if others.contains(where: certificate.namesAsIssuer) {
            return words + #"but not with the key of the certificate of that name in "x5c""#
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
