import JSON

extension JWK {
    static let noCertificate = CertificateError(.noCertificate, #"the key has no certificate ("x5c")"#)

    /// What is wrong with the key's own certificate, the leaf of `x5c`, where there are no anchors to validate it by.
    ///
    /// None of it has to keep a card from being accepted, save a certificate that is of another key (`otherKey`): without
    /// anchors a certificate proves nothing, and nobody is held to it.
    ///
    /// - Parameters:
    ///   - issuer: the issuer's URL.
    ///   - moment: when, in seconds since 1970.
    /// - Returns: every problem: `malformed` or `tooLarge` alone, else `unusableKey` or `otherKey`, `malformed`, `keyUsage`,
    ///   `otherName`, `expired` or `notYetValid`, in this order. None where there is no `x5c`.
    public func certificateProblems(for issuer: String, at moment: Int64) -> [CertificateError] {
        guard value.optional("x5c") != nil else { return [] }
        do throws(CertificateError) {
            guard let der = try boundedCertificates().first else { return [JWK.noCertificate] }
            let leaf = try Certificate(der: der)
            let key: P256PublicKey
            do {
                key = try publicKey()
            } catch {
                return [CertificateError(.unusableKey, "no certificate can be of this key: \(error)")]
            }
            return leaf.problems(of: key, for: issuer) + leaf.problems(at: moment)
        } catch {
            return [error]
        }
    }

    /// The certificates in `x5c`, unless there are more, or longer ones, than any real key has.
    package func boundedCertificates() throws(CertificateError) -> [[UInt8]] {
        guard let chain = value.optional("x5c") else { throw JWK.noCertificate }
        let elements = chain.elements
        if let count = elements?.count, count > CertificateAnchors.maximumCount {
            throw CertificateError(
                .tooLarge, #""x5c" has \#(count) certificates, more than \#(CertificateAnchors.maximumCount)"#)
        }
        // Four characters for three bytes; a slash is often written as two.
        let isTooLong = { (element: JSONValue) in element.rawBytes.count > 2 * Certificate.maximumLength }
        if let elements, elements.contains(where: isTooLong) {
            throw CertificateError(
                .tooLarge, #"a certificate in "x5c" has more than \#(Certificate.maximumLength) bytes"#)
        }
        do {
            return try certificates
        } catch {
            throw CertificateError(.malformed, error.message)
        }
    }
}
