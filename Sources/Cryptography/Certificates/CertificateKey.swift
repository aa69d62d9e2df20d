import Bytes
internal import COpenSSL

/// The public key of a certificate, if signatures of a health certificate can be verified with it.
package enum CertificateKey: Equatable, Sendable {
    /// A key on P-256, for ES256.
    case p256(P256PublicKey)
    /// An RSA key, for PS256.
    case rsa(PS256PublicKey)
    /// No such key, in plain words with an article, such as "an EC key on P-384, and only P-256 is supported".
    case unusable(String)
}

extension Certificate {
    /// The certificate's public key. It is imported each time, which takes 10 to 150 µs, so keep it.
    ///
    /// Keys on P-256 are accepted if the curve is given by its name, with a compressed or uncompressed point. Explicit
    /// parameters of a curve are refused, even if they are those of P-256 (RFC 5480 §2.1.1; with CVE-2020-0601, a
    /// parser took the curve for P-256 that an attacker had made). RSA keys are accepted as by `PS256PublicKey`, and
    /// those for RSASSA-PSS only if they allow PS256.
    package var publicKey: CertificateKey {
        switch keyNumbers {
        case .p256(let point):
            guard let key = try? P256PublicKey(point) else {
                return .unusable("an EC key whose point is not on P-256")
            }
            return .p256(key)
        case .rsa(let modulus, let exponent):
            do throws(PS256KeyError) {
                return .rsa(try PS256PublicKey(modulus: modulus, exponent: exponent))
            } catch {
                return .unusable(error.description)
            }
        case .other(let words): return .unusable(words)
        }
    }

    /// Whether the certificate's public key is the point with these coordinates, big-endian, of any length with leading
    /// zeros. The key is not imported, so this is fast; neither point is checked.
    package func hasKey(x: [UInt8], y: [UInt8]) -> Bool {
        guard case .p256(let point) = keyNumbers else { return false }
        return point.x.drop { $0 == 0 } == x.drop { $0 == 0 } && point.y.drop { $0 == 0 } == y.drop { $0 == 0 }
    }

    /// Whether the certificate's public key is the RSA key with these numbers, big-endian, of any length with leading
    /// zeros. The key is not imported, and its size not checked.
    package func hasKey(modulus: [UInt8], exponent: [UInt8]) -> Bool {
        guard case .rsa(let n, let e) = keyNumbers else { return false }
        return n == modulus.drop { $0 == 0 } && e == exponent.drop { $0 == 0 }
    }

    /// The numbers of the certificate's key.
    var keyNumbers: CertificateKeyNumbers {
        guard let fields else { return .unreadable }
        return CertificateKeyNumbers(fields.publicKey)
    }
}

/// The numbers of a public key as a certificate states them. They are not checked.
enum CertificateKeyNumbers {
    /// A point, of which only the form is known. One that was compressed is on P-256.
    case p256(P256Point)
    /// An RSA key that may be used for PS256. Both numbers are big-endian and without leading zeros.
    case rsa(modulus: ArraySlice<UInt8>, exponent: ArraySlice<UInt8>)
    /// Another key, in the words of `CertificateKey.unusable`.
    case other(String)

    static let unreadable = CertificateKeyNumbers.other("a key that cannot be read")

    /// Reads the content of a SubjectPublicKeyInfo (RFC 5280 §4.1.2.7, RFC 3279, RFC 5480, RFC 4055).
    init(_ content: ArraySlice<UInt8>) {
        var info = DERReader(content)
        guard let algorithm = info.next(DERReader.Tag.sequence), let bits = info.next(DERReader.Tag.bitString),
            info.isAtEnd, bits.content.first == 0
        else {
            self = .unreadable
            return
        }
        var parts = DERReader(algorithm.content)
        guard let kind = parts.next(DERReader.Tag.objectIdentifier)?.content else {
            self = .unreadable
            return
        }
        let parameters = parts.next()
        let key = bits.content.dropFirst()
        if kind.elementsEqual(KeyIdentifier.ecPublicKey) {
            self = Self.elliptic(key, parameters)
        } else if kind.elementsEqual(KeyIdentifier.rsaEncryption) {
            self = Self.rsa(key)
        } else if kind.elementsEqual(KeyIdentifier.rsassaPSS) {
            self =
                PSSRestriction.allowsPS256(parameters)
                ? Self.rsa(key)
                : .other("an RSA key that is restricted to RSASSA-PSS with other parameters than those of PS256")
        } else {
            let dotted = DERReader.dotted(objectIdentifier: kind)
            self =
                dotted.map {
                    .other("\(KeyIdentifier.kinds[$0] ?? "a key of the kind \($0)"), which is not supported")
                } ?? .unreadable
        }
    }

    private static func elliptic(_ key: ArraySlice<UInt8>, _ parameters: DERReader.Element?) -> CertificateKeyNumbers {
        switch parameters?.tag {
        case DERReader.Tag.objectIdentifier: break
        case DERReader.Tag.sequence:
            return .other("an EC key with explicit parameters of its curve, and only the name of P-256 is supported")
        default: return .other("an EC key without the name of its curve")
        }
        guard let curve = parameters?.content, let dotted = DERReader.dotted(objectIdentifier: curve) else {
            return unreadable
        }
        guard curve.elementsEqual(KeyIdentifier.p256) else {
            let name = KeyIdentifier.curves[dotted] ?? "the curve \(dotted)"
            return .other("an EC key on \(name), and only P-256 is supported")
        }
        guard let point = P256Point(encoded: key) else { return .other("an EC key whose point is not on P-256") }
        return .p256(point)
    }

    private static func rsa(_ key: ArraySlice<UInt8>) -> CertificateKeyNumbers {
        guard let pair = DERReader.only(DERReader.Tag.sequence, in: key) else { return unreadable }
        var numbers = DERReader(pair.content)
        guard let modulus = numbers.next(DERReader.Tag.integer), let exponent = numbers.next(DERReader.Tag.integer),
            numbers.isAtEnd
        else { return unreadable }
        // Like OpenSSL, this takes a number without the zero before its highest bit for a positive one.
        return .rsa(modulus: modulus.content.drop { $0 == 0 }, exponent: exponent.content.drop { $0 == 0 })
    }
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

/// The identifiers of kinds of keys and of curves.
private enum KeyIdentifier {
    /// 1.2.840.10045.2.1
    static let ecPublicKey: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
    /// 1.2.840.10045.3.1.7
    static let p256: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
    /// 1.2.840.113549.1.1.1
    static let rsaEncryption: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
    /// 1.2.840.113549.1.1.10
    static let rsassaPSS: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0A]

    /// Kinds of keys by their identifiers, for messages.
    static let kinds = [
        "1.3.101.110": "an X25519 key", "1.3.101.111": "an X448 key", "1.3.101.112": "an Ed25519 key",
        "1.3.101.113": "an Ed448 key", "1.2.840.10040.4.1": "a DSA key", "1.2.840.10046.2.1": "a Diffie-Hellman key",
        "1.2.840.113549.1.3.1": "a Diffie-Hellman key", "1.2.840.113549.1.1.7": "an RSA key for encryption (OAEP)",
        "1.3.132.1.12": "an EC key for key agreement",
    ]

    /// Curves by their identifiers, for messages.
    static let curves = [
        "1.2.840.10045.3.1.1": "P-192", "1.3.132.0.33": "P-224", "1.3.132.0.34": "P-384", "1.3.132.0.35": "P-521",
        "1.3.132.0.10": "secp256k1", "1.2.156.10197.1.301": "SM2", "1.3.36.3.3.2.8.1.1.7": "brainpoolP256r1",
        "1.3.36.3.3.2.8.1.1.8": "brainpoolP256t1", "1.3.36.3.3.2.8.1.1.9": "brainpoolP320r1",
        "1.3.36.3.3.2.8.1.1.11": "brainpoolP384r1", "1.3.36.3.3.2.8.1.1.13": "brainpoolP512r1",
    ]
}

extension P256Point {
    /// Reads a point in compressed or uncompressed form (SEC 1 §2.3.4). An uncompressed one is not checked.
    ///
    /// Nil if there is no point with a compressed x, or if the form is another one.
    init?(encoded bytes: ArraySlice<UInt8>) {
        let length = P256Point.coordinateLength
        switch (bytes.first, bytes.count) {
        case (0x04, 1 + 2 * length): self.init(uncompressed: bytes)
        case (0x02, 1 + length), (0x03, 1 + length):
            guard let whole = P256Point.uncompressed(Array(bytes)) else { return nil }
            self.init(uncompressed: whole[...])
        default: return nil
        }
    }

    /// Takes a point in uncompressed form, 65 bytes.
    private init(uncompressed bytes: ArraySlice<UInt8>) {
        self.init(
            x: Array(bytes.dropFirst().prefix(P256Point.coordinateLength)),
            y: Array(bytes.suffix(P256Point.coordinateLength)))
    }

    /// The uncompressed form of a point. Nil if it is not on the curve.
    private static func uncompressed(_ bytes: [UInt8]) -> [UInt8]? {
        defer { ERR_clear_error() }
        var whole = [UInt8](repeating: 0, count: 1 + 2 * coordinateLength)
        // Unsafe: both are freed on every path. OpenSSL reads `count` bytes of one array and writes at most as many
        // bytes as the other has.
        guard let group = unsafe EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1) else { return nil }
        defer { unsafe EC_GROUP_free(group) }
        guard let point = unsafe EC_POINT_new(group) else { return nil }
        defer { unsafe EC_POINT_free(point) }
        guard unsafe EC_POINT_oct2point(group, point, bytes, bytes.count, nil) == 1,
            unsafe EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, &whole, whole.count, nil)
                == whole.count
        else { return nil }
        return whole
    }
}
