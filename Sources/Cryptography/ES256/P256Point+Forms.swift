internal import CLibraries
import Encodings

extension P256Point {
    /// The point in a SubjectPublicKeyInfo (RFC 5480 §2); nil if its key is none on an elliptic curve.
    static func numbers(in info: SubjectPublicKeyInfo) -> PublicKeyNumbers? {
        guard info.kind.elementsEqual(ECIdentifier.publicKey) else { return nil }
        switch info.parameters?.tag {
        case DERReader.Tag.objectIdentifier: break
        case DERReader.Tag.sequence:
            return .other(
                "an EC key with explicit parameters of its curve, and only the name of \(SignatureAlgorithm.curves) is supported"
            )
        default: return .other("an EC key without the name of its curve")
        }
        guard let curve = info.parameters?.content, let dotted = DERReader.dotted(objectIdentifier: curve) else {
            return .unreadable
        }
        guard curve.elementsEqual(ECIdentifier.p256) else {
            let name = ECIdentifier.curves[dotted] ?? "the curve \(dotted)"
            return .other("an EC key on \(name), and only \(SignatureAlgorithm.curves) is supported")
        }
        guard let point = P256Point(encoded: info.key) else {
            return .other("an EC key whose point is not on P-256")
        }
        return .es256(point)
    }

    /// The first coordinate of the point of a private key; nil if it is no key on P-256.
    ///
    /// Unsafe: takes a pointer to a key.
    @unsafe
    static func firstCoordinate(ofPrivateKey key: OpaquePointer) -> [UInt8]? {
        guard unsafe EVP_PKEY_is_a(key, "EC") == 1, unsafe EVP_PKEY_get_bits(key) == 256,
            let d = unsafe PEM.number(OSSL_PKEY_PARAM_PRIV_KEY, of: key), d.count <= coordinateLength
        else { return nil }
        return firstCoordinate(
            ofPrivateKey: [UInt8](repeating: 0, count: coordinateLength - d.count) + d)
    }
}

extension P256PublicKey {
    /// The key with the coordinates of a JSON Web Key (RFC 7518 §6.2).
    ///
    /// Zeros before a coordinate are left out, since most entries of WHO's list have one.
    static func key(x: [UInt8]?, y: [UInt8]?) -> Result<VerificationKey, Malformed> {
        guard let x = x.flatMap({ coordinate($0) }), let y = y.flatMap({ coordinate($0) }),
            let key = try? P256PublicKey(x: x, y: y)
        else { return .failure(Malformed("not a point on the curve P-256")) }
        return .success(.es256(key))
    }

    private static func coordinate(_ number: [UInt8]) -> [UInt8]? {
        let length = P256Point.coordinateLength
        let significant = number.drop { $0 == 0 }
        guard significant.count <= length, number.count <= 2 * length else { return nil }
        return [UInt8](repeating: 0, count: length - significant.count) + significant
    }
}

/// The identifiers of keys on elliptic curves.
private enum ECIdentifier {
    /// 1.2.840.10045.2.1
    static let publicKey: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
    /// 1.2.840.10045.3.1.7
    static let p256: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]

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
