internal import CLibraries
import Encodings

extension Certificate {
    /// Checks the certificate as that of an issuer's key, without its dates and its path.
    ///
    /// - Parameters:
    ///   - key: the key that the certificate should have.
    ///   - issuer: the issuer's URL.
    /// - Returns: all problems that were found.
    package func problems(of key: P256PublicKey, for issuer: String) -> [CertificateError] {
        var problems: [CertificateError] = []
        switch key.matches(self) {
        case .same: break
        case .different:
            problems.append(
                CertificateError(.otherKey, self, depth: 0, "has another key than the one it is published with"))
        case .unreadable:
            problems.append(CertificateError(.malformed, self, depth: 0, "has a key that cannot be read"))
        }
        if hasUnreadableExtension { problems.append(CertificateError(unreadableExtensionOf: self, depth: 0)) }
        if !maySign {
            problems.append(
                CertificateError(.keyUsage, self, depth: 0, "is not for signing (keyUsage has no digitalSignature)"))
        }
        if !names(issuer) { problems.append(otherName(than: issuer)) }
        return problems
    }

    /// Checks the certificate's dates.
    ///
    /// - Parameters:
    ///   - moment: the time of the check, in seconds since 1970.
    ///   - depth: the position of the certificate in the chain, for the message.
    package func problems(at moment: Int64, depth: Int = 0) -> [CertificateError] {
        guard let validFrom, let validTo else {
            return [CertificateError(.malformed, self, depth: depth, "has a validity that cannot be read")]
        }
        // As in OpenSSL, the certificate is no longer valid in the last second.
        if moment >= validTo.seconds {
            return [CertificateError(.expired, self, depth: depth, "expired at \(validTo.text)")]
        }
        if moment < validFrom.seconds {
            return [CertificateError(.notYetValid, self, depth: depth, "is valid only from \(validFrom.text)")]
        }
        return []
    }

    private static let shownNames = 3

    private func otherName(than issuer: String) -> CertificateError {
        let names = names
        guard !names.isEmpty else {
            return CertificateError(
                .otherName, self, depth: 0, "names no issuer: it has no URI as Subject Alternative Name")
        }
        var words = names.prefix(Certificate.shownNames).map(\.description).joined(separator: ", ")
        if names.count > Certificate.shownNames { words += " and \(names.count - Certificate.shownNames) more" }
        words = "names \(words), not the issuer \(issuer.quoted())"
        if names.contains(where: { Certificate.nearly($0, issuer) }) {
            words += "; the two differ only in case or in a slash at the end, and are different issuers"
        }
        return CertificateError(.otherName, self, depth: 0, words)
    }

    private static func nearly(_ name: SubjectAlternativeName, _ issuer: String) -> Bool {
        guard case .uri(let uri) = name else { return false }
        let plain = { (bytes: [UInt8]) in
            var bytes = bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
            if bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
            return bytes
        }
        return plain(uri) == plain(Array(issuer.utf8))
    }
}

/// The result of comparing a certificate with a key (SHC-K7).
package enum CertificateKeyMatch: Sendable {
    /// The certificate's public key is the key.
    case same
    /// The certificate has another public key.
    case different
    /// The bytes are not one X.509 certificate in DER, or its public key cannot be read.
    case unreadable
}

extension P256PublicKey {
    /// Compares the public key of a certificate with this key (RFC 7517 §4.7, SHC-K7).
    ///
    /// Nothing else is checked: neither the certificate's dates, nor its names, nor its signature.
    ///
    /// - Parameter certificate: one X.509 certificate in DER.
    /// - Returns: whether the certificate has this key, has another one, or cannot be read.
    package func matches(certificate: [UInt8]) -> CertificateKeyMatch {
        // Clears the errors of a failure from OpenSSL's queue, so that the next caller does not find them.
        defer { ERR_clear_error() }
        // Unsafe: a null pointer or a certificate that is freed below.
        guard let leaf = unsafe Certificate.parsed(certificate) else { return .unreadable }
        // Unsafe: the certificate is freed on every path.
        defer { unsafe X509_free(leaf) }
        return unsafe matches(leaf)
    }

    /// Compares the key with that of a parsed certificate.
    func matches(_ certificate: Certificate) -> CertificateKeyMatch {
        defer { ERR_clear_error() }
        // Unsafe: the pointer is that of a live object.
        return unsafe certificate.withX509 { unsafe matches($0) }
    }

    /// Unsafe: takes a pointer to an X509 and does not keep it.
    @unsafe
    private func matches(_ leaf: OpaquePointer) -> CertificateKeyMatch {
        // Unsafe: the key belongs to the certificate and is used only while it lives.
        guard let leafKey = unsafe X509_get0_pubkey(leaf) else { return .unreadable }
        switch unsafe withKey({ unsafe EVP_PKEY_eq($0, leafKey) }) {
        case 1: return .same
        // -1: a key of another type.
        case 0, -1: return .different
        default: return .unreadable
        }
    }
}
