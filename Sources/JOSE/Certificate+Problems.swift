import JSON

extension Certificate {
    /// What is wrong with the certificate as that of an issuer's key, dates and path aside.
    ///
    /// - Parameters:
    ///   - key: the key that it should be of.
    ///   - issuer: the issuer's URL.
    func problems(of key: P256PublicKey, for issuer: String) -> [CertificateError] {
        var problems: [CertificateError] = []
        switch key.matches(self) {
        case .same: break
        case .different:
            problems.append(
                CertificateError(.otherKey, self, depth: 0, "is of another key than the one it is published with"))
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

    /// What is wrong with the certificate's dates.
    ///
    /// - Parameters:
    ///   - moment: when, in seconds since 1970.
    ///   - depth: where in the chain the certificate stands, for the words.
    package func problems(at moment: Int64, depth: Int = 0) -> [CertificateError] {
        guard let validFrom, let validTo else {
            return [CertificateError(.malformed, self, depth: depth, "has a validity that cannot be read")]
        }
        // As OpenSSL has it, the last second no longer counts.
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
        words = "names \(words), not the issuer \(JSONValue.excerpt(of: issuer, upTo: 200))"
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
