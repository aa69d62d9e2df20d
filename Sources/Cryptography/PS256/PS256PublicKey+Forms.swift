internal import CLibraries
import Encodings

extension PS256PublicKey {
    /// The numbers in a SubjectPublicKeyInfo (RFC 3279 §2.3.1, RFC 4055 §1.2); nil if its key is no RSA key.
    static func numbers(in info: SubjectPublicKeyInfo) -> PublicKeyNumbers? {
        if info.kind.elementsEqual(RSAIdentifier.rsaEncryption) { return numbers(info.key) }
        guard info.kind.elementsEqual(RSAIdentifier.rsassaPSS) else { return nil }
        return PSSRestriction.allowsPS256(info.parameters)
            ? numbers(info.key)
            : .other("an RSA key that is restricted to RSASSA-PSS with other parameters than those of PS256")
    }

    private static func numbers(_ key: ArraySlice<UInt8>) -> PublicKeyNumbers {
        guard let pair = DERReader.only(DERReader.Tag.sequence, in: key) else { return .unreadable }
        var numbers = DERReader(pair.content)
        guard let modulus = numbers.next(DERReader.Tag.integer), let exponent = numbers.next(DERReader.Tag.integer),
            numbers.isAtEnd
        else { return .unreadable }
        // Like OpenSSL, this takes a number without the zero before its highest bit for a positive one.
        return .ps256(modulus: modulus.content.drop { $0 == 0 }, exponent: exponent.content.drop { $0 == 0 })
    }

    /// The key with the numbers of a certificate or a JSON Web Key (RFC 7518 §6.3).
    static func key(
        modulus: (some Collection<UInt8>)?, exponent: (some Collection<UInt8>)?
    ) -> Result<VerificationKey, Malformed> {
        guard let modulus, let exponent else { return .failure(Malformed("an RSA key without readable numbers")) }
        return Result { () throws(Malformed) in .ps256(try PS256PublicKey(modulus: modulus, exponent: exponent)) }
    }

    /// The modulus of a private key, without leading zeros; nil if it is no RSA key.
    ///
    /// Unsafe: takes a pointer to a key.
    @unsafe
    static func modulus(ofPrivateKey key: OpaquePointer) -> [UInt8]? {
        guard unsafe EVP_PKEY_is_a(key, "RSA") == 1 || EVP_PKEY_is_a(key, "RSA-PSS") == 1 else { return nil }
        return unsafe PEM.number(OSSL_PKEY_PARAM_RSA_N, of: key).map { Array($0.drop { $0 == 0 }) }
    }
}

/// The identifiers of RSA keys.
private enum RSAIdentifier {
    /// 1.2.840.113549.1.1.1
    static let rsaEncryption: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
    /// 1.2.840.113549.1.1.10
    static let rsassaPSS: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0A]
}

/// The restrictions of an RSA key for RSASSA-PSS (RFC 4055 §3.1, §3.3).
private enum PSSRestriction {
    private static let sha256: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]
    private static let mgf1: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x08]

    /// Whether a key with these parameters may make PS256 signatures: there are none, or the hash function of both is
    /// SHA-256 and the salt may have 32 bytes. What parameters leave out is SHA-1.
    static func allowsPS256(_ parameters: DERReader.Element?) -> Bool {
        guard let parameters else { return true }
        guard parameters.tag == DERReader.Tag.sequence else { return false }
        var fields = DERReader(parameters.content)
        guard let hash = fields.next(DERReader.Tag.context(0)), isAlgorithm(hash.content, sha256) != nil,
            let mask = fields.next(DERReader.Tag.context(1)), let inner = isAlgorithm(mask.content, mgf1),
            isAlgorithm(inner, sha256) != nil
        else { return false }
        if let salt = fields.next(DERReader.Tag.context(2)) {
            guard let length = DERReader.only(DERReader.Tag.integer, in: salt.content)?.content, length.count == 1,
                length.allSatisfy({ $0 <= UInt8(SHA256.digestLength) })
            else { return false }
        }
        if let trailer = fields.next(DERReader.Tag.context(3)) {
            guard DERReader.only(DERReader.Tag.integer, in: trailer.content)?.content == [1] else { return false }
        }
        return fields.isAtEnd
    }

    /// The parameters of an AlgorithmIdentifier, if it is of this algorithm.
    private static func isAlgorithm(_ content: ArraySlice<UInt8>, _ identifier: [UInt8]) -> ArraySlice<UInt8>? {
        guard let algorithm = DERReader.only(DERReader.Tag.sequence, in: content) else { return nil }
        var parts = DERReader(algorithm.content)
        guard parts.next(DERReader.Tag.objectIdentifier)?.content.elementsEqual(identifier) == true else { return nil }
        let parameters = parts.next()
        return parts.isAtEnd ? parameters?.whole ?? [] : nil
    }
}
