import Encodings

extension JWK {
    /// The certificates in `x5c`, leaf first, in DER (RFC 7517 §4.7, SHC-K7). Empty if there is no `x5c`.
    ///
    /// Only the encoding is checked. The certificates may have expired, have another key, or be malformed.
    ///
    /// - Throws: `JWKError` with the reason `malformedCertificates` if `x5c` is not an array of one or more strings in
    ///   base64.
    package var certificates: [[UInt8]] {
        get throws(JWKError) {
            guard let chain = value.optional("x5c") else { return [] }
            guard let elements = chain.elements, elements.count > 0 else {
                throw JWKError(.malformedCertificates, #"the key's "x5c" is not an array of certificates"#)
            }
            var certificates: [[UInt8]] = []
            for element in elements { certificates.append(try certificate(element, at: certificates.count)) }
            return certificates
        }
    }

    private func certificate(_ element: JSONValue, at index: Int) throws(JWKError) -> [UInt8] {
        guard let text = element.stringBytes else {
            throw JWKError(
                .malformedCertificates,
                #"the key's "x5c" must contain strings, element \#(index) is \#(element.excerpt)"#)
        }
        return try Result { () throws(Base64Error) in try Base64.decode(text) }.mapError {
            JWKError(.malformedCertificates, #"element \#(index) of the key's "x5c" is not base64: \#($0)"#)
        }.get()
    }
}

extension JWK {
    /// Checks the key's own certificate, the leaf of `x5c`, when there are no anchors to validate it with.
    ///
    /// Without anchors, a certificate proves nothing. So none of these problems needs to fail a card, except that the
    /// certificate has another key (`otherKey`).
    ///
    /// - Parameters:
    ///   - issuer: the issuer's URL.
    ///   - moment: the time of the check, in seconds since 1970.
    /// - Returns: all problems. `malformed` or `tooLarge` stands alone. Otherwise, the order is `unusableKey` or
    ///   `otherKey`, `malformed`, `keyUsage`, `otherName`, `expired` or `notYetValid`. Empty if there is no `x5c`.
    package func certificateProblems(for issuer: String, at moment: Int64) -> [CertificateError] {
        guard value.optional("x5c") != nil else { return [] }
        do throws(CertificateError) {
            guard let der = try boundedCertificates().first else { return [.noCertificate] }
            let leaf = try Certificate(der: der)
            return leaf.problems(of: try certifiableKey(), for: issuer) + leaf.problems(at: moment)
        } catch {
            return [error]
        }
    }

    /// The key that a certificate in `x5c` should have.
    fileprivate func certifiableKey() throws(CertificateError) -> P256PublicKey {
        try Result { () throws(JWKError) in try publicKey() }
            .mapError { CertificateError(.unusableKey, "no certificate can be of this key: \($0)") }.get()
    }

    /// The certificates in `x5c`. Fails if there are more or longer ones than any real key has.
    func boundedCertificates() throws(CertificateError) -> [[UInt8]] {
        guard let chain = value.optional("x5c") else { throw .noCertificate }
        let elements = chain.elements
        if let count = elements?.count, count > CertificateAnchors.maximumCount {
            throw CertificateError(
                .tooLarge, #""x5c" has \#(count) certificates, more than \#(CertificateAnchors.maximumCount)"#)
        }
        // Base64 has four characters for three bytes. JSON text often writes a slash as two characters.
        let isTooLong = { (element: JSONValue) in element.rawBytes.count > 2 * Certificate.maximumLength }
        if let elements, elements.contains(where: isTooLong) {
            throw CertificateError(
                .tooLarge, #"a certificate in "x5c" has more than \#(Certificate.maximumLength) bytes"#)
        }
        return try Result { () throws(JWKError) in try certificates }
            .mapError { CertificateError(.malformed, $0.message) }.get()
    }
}

extension JWK {
    /// The certificates in `x5c` in DER, each with what can be read of it.
    ///
    /// - Throws: as `boundedCertificates()`.
    package func certificateChain() throws(CertificateError) -> [(der: [UInt8], certificate: Certificate?)] {
        try boundedCertificates().map { ($0, try? Certificate(der: $0)) }
    }

    /// The moments at which the result of a certificate check can change, in seconds since 1970. Between two of them,
    /// `certificateProblems(for:at:)` and `CertificateAnchors` give the same result.
    package var certificateDates: [Int64] {
        guard let chain = try? certificateChain() else { return [] }
        return chain.compactMap(\.certificate).flatMap(\.dates)
    }
}

extension CertificateAnchors {
    /// Validates the path from the certificate of an issuer's key to one of the anchors (SHC-K8); see
    /// `validate(_:of:for:at:refusing:)`.
    ///
    /// - Parameters:
    ///   - jwk: the key as published. If a key set has several entries for one key, validate the certificate of each.
    ///   - issuer: the issuer's URL.
    ///   - moment: the time of validation, in seconds since 1970.
    ///   - compromised: keys whose private half is published.
    /// - Returns: the path, as reports show it.
    /// - Throws: `CertificateError`: the first error that was found.
    package func validate(
        _ jwk: JWK, for issuer: String, at moment: Int64, refusing compromised: [CompromisedKeys] = []
    ) throws(CertificateError) -> CertificatePath {
        let certificates = try jwk.boundedCertificates()
        return try validate(certificates, of: jwk.certifiableKey(), for: issuer, at: moment) { certificate in
            compromised.contains { $0.contains(certificate) }
        }
    }
}
