import Bytes

extension P256PublicKey {
    /// Reads a key that a file gives as a public key or in a certificate.
    ///
    /// The user who names the file trusts its key. A certificate's dates, names and signature are not checked.
    ///
    /// - Parameter pem: a SubjectPublicKeyInfo (`PUBLIC KEY`, RFC 7468 §13) or one certificate in PEM.
    /// - Throws: `CertificateFileError` if there is neither, or if the key is not on P-256.
    public convenience init(pem: [UInt8]) throws(CertificateFileError) {
        let numbers: PublicKeyNumbers
        if let der = Self.publicKeyBlock(in: pem) {
            guard let info = DERReader.only(DERReader.Tag.sequence, in: der[...]) else {
                throw CertificateFileError(.malformed, "the public key in the file cannot be read")
            }
            numbers = PublicKeyNumbers(subjectPublicKeyInfo: info.content)
        } else {
            let certificates = try PEM.parsed(pem)
            guard certificates.count == 1 else {
                throw CertificateFileError(
                    .severalCertificates, "the file holds \(certificates.count) certificates, expected one")
            }
            numbers = certificates[0].keyNumbers
        }
        guard case .es256(let point) = numbers else {
            throw CertificateFileError(.otherKindOfKey, "the file holds \(numbers.words), and not a key on P-256")
        }
        do throws(P256PointError) {
            try self.init(point)
        } catch {
            throw CertificateFileError(.malformed, "the public key in the file is not a point on P-256")
        }
    }

    /// The content of the first block `PUBLIC KEY`; nil if there is none, or if it is not base64.
    private static func publicKeyBlock(in pem: [UInt8]) -> [UInt8]? {
        let lines = pem.split { $0 == 0x0A || $0 == 0x0D }.map { $0.trimmingWhiteSpace() }
        guard let start = lines.firstIndex(where: { $0.elementsEqual("-----BEGIN PUBLIC KEY-----".utf8) }),
            let end = lines[start...].firstIndex(where: { $0.elementsEqual("-----END PUBLIC KEY-----".utf8) })
        else { return nil }
        return try? Base64.decode(Array(lines[(start + 1)..<end].joined()))
    }
}
