package import Encodings

extension P256PublicKey {
    /// Reads a key that a file gives as a public key or in a certificate.
    ///
    /// The user who names the file trusts its key. A certificate's dates, names and signature are not checked.
    ///
    /// - Parameter pem: a SubjectPublicKeyInfo (`PUBLIC KEY`, RFC 7468 §13) or one certificate in PEM.
    /// - Throws: `Malformed` if there is neither, or if the key is not on P-256.
    package convenience init(pem: [UInt8]) throws(Malformed) {
        let numbers: PublicKeyNumbers
        if let der = Self.publicKeyBlocks(in: pem).first ?? nil {
            guard let info = DERReader.only(DERReader.Tag.sequence, in: der[...]) else {
                throw Malformed("the public key in the file cannot be read")
            }
            numbers = PublicKeyNumbers(subjectPublicKeyInfo: info.content)
        } else {
            numbers = try PEM.onlyCertificate(in: pem).keyNumbers
        }
        guard case .es256(let point) = numbers else {
            throw Malformed("the file holds \(numbers.words), and not a key on P-256")
        }
        do throws(Malformed) {
            try self.init(point)
        } catch {
            throw Malformed("the public key in the file is not a point on P-256")
        }
    }

    /// The keys on P-256 among the public keys of a file (`PUBLIC KEY`, RFC 7468 §13). Keys of other kinds are skipped.
    ///
    /// - Throws: `Malformed` if a block is something else, such as a private key or a certificate, or cannot be read.
    package static func publicKeys(inPEM pem: [UInt8]) throws(Malformed) -> [P256PublicKey] {
        for line in lines(of: pem) where line.starts(with: "-----BEGIN ".utf8) {
            guard !line.elementsEqual(publicKeyBegin.utf8) else { continue }
            throw line.suffix(16).elementsEqual("PRIVATE KEY-----".utf8)
                ? Malformed("the file has a private key, which only its owner may have")
                : Malformed("the file has something else than public keys (PUBLIC KEY)")
        }
        var keys: [P256PublicKey] = []
        for der in publicKeyBlocks(in: pem) {
            guard let der, let info = DERReader.only(DERReader.Tag.sequence, in: der[...]) else {
                throw Malformed("a public key in the file cannot be read")
            }
            guard case .es256(let point) = PublicKeyNumbers(subjectPublicKeyInfo: info.content) else { continue }
            guard let key = try? P256PublicKey(point) else {
                throw Malformed("a public key in the file is not a point on P-256")
            }
            keys.append(key)
        }
        return keys
    }

    private static let publicKeyBegin = "-----BEGIN PUBLIC KEY-----"
    private static let publicKeyEnd = "-----END PUBLIC KEY-----"

    private static func lines(of pem: [UInt8]) -> [ArraySlice<UInt8>] {
        pem[...].trimmingByteOrderMarks().split { $0 == 0x0A || $0 == 0x0D }.map { $0.trimmingWhiteSpace() }
    }

    /// The contents of all blocks `PUBLIC KEY`; nil for one that has no end or is not base64.
    private static func publicKeyBlocks(in pem: [UInt8]) -> [[UInt8]?] {
        var blocks: [[UInt8]?] = []
        var rest = lines(of: pem)[...]
        while let start = rest.firstIndex(where: { $0.elementsEqual(publicKeyBegin.utf8) }) {
            rest = rest[(start + 1)...]
            guard let end = rest.firstIndex(where: { $0.elementsEqual(publicKeyEnd.utf8) }) else {
                blocks.append(nil)
                break
            }
            blocks.append(try? Base64.decode(Array(rest[..<end].joined())))
            rest = rest[(end + 1)...]
        }
        return blocks
    }
}
