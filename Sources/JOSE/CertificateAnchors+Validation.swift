extension CertificateAnchors {
    /// How many certificates `x5c` may have. Real ones have one to three.
    public static let maximumCount = 10

    /// Validates the path from a key's certificate to one of the anchors (SHC-K8, RFC 5280 §6).
    ///
    /// The leaf's key is the JWK's; the leaf may sign; a URI of its Subject Alternative Name is the issuer, byte for
    /// byte. From there a path leads to an anchor on which every signature verifies, every certificate is valid at the
    /// moment, every issuer is a certificate authority, and path lengths, key usages, name constraints and certificate
    /// policies are kept to. The order of `x5c` after the leaf does not matter. Nothing is fetched: missing certificates are
    /// not looked for, and whether one has been revoked is not known.
    ///
    /// - Parameters:
    ///   - jwk: the key, as published. Of several entries of one key each has a certificate of its own to validate.
    ///   - issuer: the issuer's URL.
    ///   - moment: when, in seconds since 1970.
    /// - Returns: what a report may say of the path.
    /// - Throws: `CertificateError`, the first thing that was found wrong.
    public func validate(
        _ jwk: JWK, for issuer: String, at moment: Int64
    ) throws(CertificateError) -> CertificatePath {
        let certificates = try jwk.boundedCertificates()
        let key: P256PublicKey
        do {
            key = try jwk.publicKey()
        } catch {
            throw CertificateError(.unusableKey, "no certificate can be of this key: \(error)")
        }
        return try validate(certificates, of: key, for: issuer, at: moment)
    }

    /// Validates a path for a key that has been imported; see `validate(_:for:at:)`.
    ///
    /// - Parameter certificates: the key's certificates in DER, leaf first.
    public func validate(
        _ certificates: [[UInt8]], of key: P256PublicKey, for issuer: String, at moment: Int64
    ) throws(CertificateError) -> CertificatePath {
        guard !certificates.isEmpty else { throw JWK.noCertificate }
        guard certificates.count <= CertificateAnchors.maximumCount else {
            throw CertificateError(
                .tooLarge,
                #""x5c" has \#(certificates.count) certificates, more than \#(CertificateAnchors.maximumCount)"#)
        }
        var parsed: [Certificate] = []
        for der in certificates {
            do {
                parsed.append(try Certificate(der: der))
            } catch {
                throw CertificateError(
                    error.reason, depth: parsed.count, #"element \#(parsed.count) of "x5c" cannot be used: \#(error)"#)
            }
        }
        let leaf = parsed[0]
        if let problem = leaf.problems(of: key, for: issuer).first { throw problem }
        let path = try path(from: leaf, over: Array(parsed.dropFirst()), at: moment)
        for (depth, certificate) in path.enumerated() where certificate.hasUnreadableExtension {
            throw CertificateError(unreadableExtensionOf: certificate, depth: depth)
        }
        try check(issuer, against: path)
        // Who gets here has a leaf whose validity OpenSSL could read, on a path that is not empty: so it never throws.
        guard let notAfter = leaf.notAfter, let anchor = path.last else {
            throw CertificateError(.failed, leaf, depth: 0, "has a validity that cannot be read")
        }
        return CertificatePath(
            leafSubject: leaf.subject, anchorSubject: anchor.subject, leafNotAfter: notAfter, count: path.count)
    }

    /// Refuses an issuer whose host OpenSSL may have taken for another when it held the name constraints of the path
    /// against it.
    private func check(_ issuer: String, against path: [Certificate]) throws(CertificateError) {
        guard let depth = path.indices.dropFirst().first(where: { path[$0].constrainsNames }),
            ConstrainedHost(in: issuer) == nil
        else { return }
        throw CertificateError(
            .nameConstraint, path[depth], depth: depth,
            "has name constraints, against which the host in the issuer's URL cannot be held")
    }
}
