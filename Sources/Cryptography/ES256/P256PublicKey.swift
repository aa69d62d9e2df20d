import CLibraries
package import Encodings

/// A public key on the curve P-256 that can verify ES256 signatures (RFC 7518 §3.4).
///
/// The key is imported and checked once. If this object exists, its point is on the curve.
@safe
package final class P256PublicKey: @unchecked Sendable {
    // Sendable: `point` and `key` never change after `init`. The EVP_PKEY leaves this class only during calls that read
    // it or add a reference to it (`KeyVerification`, which also only reads it). OpenSSL counts its references
    // atomically and guards its caches with a lock of the key, so several threads may read one key
    // (openssl-threads(7)). It is freed once, when the last reference to this object is gone.
    //
    // Safe: `key` is not null, belongs to this object alone, and is passed to OpenSSL only while the object lives.

    private let point: P256Point
    private let key: OpaquePointer

    /// The point's first coordinate, 32 bytes, big-endian.
    package var x: [UInt8] { point.x }
    /// The point's second coordinate, 32 bytes, big-endian.
    package var y: [UInt8] { point.y }

    /// The point in uncompressed form (SEC 1 §2.3.3).
    var uncompressed: [UInt8] { point.uncompressed }

    /// Imports a key.
    ///
    /// - Parameters:
    ///   - x: the point's first coordinate, 32 bytes, big-endian.
    ///   - y: the point's second coordinate, in the same form.
    /// - Throws: `Malformed` if a coordinate has another length, or if the point is not on P-256.
    package convenience init(x: [UInt8], y: [UInt8]) throws(Malformed) {
        guard x.count == P256Point.coordinateLength, y.count == P256Point.coordinateLength else {
            throw Malformed("a coordinate does not have 32 bytes")
        }
        try self.init(P256Point(x: x, y: y))
    }

    /// Imports a key.
    ///
    /// - Throws: `Malformed` if the point is not on P-256.
    package init(_ point: P256Point) throws(Malformed) {
        // Unsafe: a null pointer or a key that this object now owns.
        guard let key = unsafe P256PublicKey.imported(point.uncompressed, where: PublicKeyCheck.isOnCurve) else {
            // Otherwise the next caller that looks at OpenSSL's error queue would find these errors.
            ERR_clear_error()
            throw Malformed("the point is not on P-256")
        }
        self.point = point
        unsafe self.key = key
    }

    deinit {
        // Unsafe: the only free, of the key that `init` got.
        unsafe EVP_PKEY_free(key)
    }

    /// Whether this key made the signature over the message.
    ///
    /// - Parameters:
    ///   - signature: a signature whose numbers are in range.
    ///   - message: the bytes that were signed. For a JWS, this is its `signingInput`.
    ///   - context: a context that is reused, to verify many cards faster; nil to use none.
    ///   - claim: a claim with its answer. It counts only if it is about this signature, this message and this key. Else
    ///     EVP decides.
    /// - Returns: true only if OpenSSL verified the signature. False for all failures, such as too little memory.
    package func isValid(
        _ signature: ES256Signature, for message: ArraySlice<UInt8>, in context: VerificationContext? = nil,
        claim: SignatureClaim? = nil
    ) -> Bool {
        switch claim?.answer(about: signature, over: message, by: self) {
        case .confirmed: true
        case .refused: false
        case .open, nil: (context ?? VerificationContext())?.isValid(signature, for: message, by: self) ?? false
        }
    }

    /// Calls `body` with OpenSSL's key, which must not escape.
    ///
    /// Unsafe: the pointer is valid only inside `body`.
    @unsafe
    func withKey<Result>(_ body: (OpaquePointer) -> Result) -> Result {
        withExtendedLifetime(self) { unsafe body(key) }
    }
}

extension P256PublicKey: Hashable {
    /// Keys are equal if their points are equal.
    package static func == (left: P256PublicKey, right: P256PublicKey) -> Bool { left.point == right.point }

    /// Hashes the point.
    package func hash(into hasher: inout Hasher) { hasher.combine(point) }
}

extension P256PublicKey {
    /// Imports a point of 65 bytes, and the private number of its key if there is one, and checks them.
    ///
    /// - Parameters:
    ///   - number: the private number, in the order of the machine's bytes; nil for a public key.
    ///   - isGood: whether the imported key may be used. It is asked before the key is returned.
    /// - Returns: a key that the caller has to free, or nil.
    ///
    /// Unsafe: the result is an owned pointer, and the number is only valid during the call.
    @unsafe
    static func imported(
        _ point: [UInt8], _ number: UnsafeBufferPointer<UInt8>? = nil, where isGood: (OpaquePointer) -> Bool
    ) -> OpaquePointer? {
        // Unsafe: the context is freed on every path, after the key has been made from it.
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { return nil }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        guard unsafe EVP_PKEY_fromdata_init(context) == 1 else { return nil }

        var key: OpaquePointer?
        var group = Array("P-256".utf8CString)
        var point = point
        // EVP_PKEY_PUBLIC_KEY or EVP_PKEY_KEYPAIR, macros that Swift cannot import.
        let selection =
            OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS | OSSL_KEYMGMT_SELECT_OTHER_PARAMETERS
            | OSSL_KEYMGMT_SELECT_PUBLIC_KEY | (unsafe number == nil ? 0 : OSSL_KEYMGMT_SELECT_PRIVATE_KEY)
        // Unsafe: the parameters point into arrays, C strings and the number, which live until the inner closure returns. OpenSSL only
        // reads them, although it takes pointers to what can be changed, and copies them into the key.
        let status = unsafe OSSL_PKEY_PARAM_GROUP_NAME.withCString { groupName in
            unsafe OSSL_PKEY_PARAM_PUB_KEY.withCString { pointName in
                unsafe OSSL_PKEY_PARAM_PRIV_KEY.withCString { numberName in
                    unsafe group.withUnsafeMutableBufferPointer { group in
                        unsafe point.withUnsafeMutableBytes { point in
                            var parameters = unsafe [
                                OSSL_PARAM_construct_utf8_string(groupName, group.baseAddress, 0),
                                OSSL_PARAM_construct_octet_string(pointName, point.baseAddress, point.count),
                                OSSL_PARAM_construct_end(),
                            ]
                            if let number = unsafe number {
                                let start = unsafe UnsafeMutablePointer(mutating: number.baseAddress)
                                unsafe parameters.insert(
                                    OSSL_PARAM_construct_BN(numberName, start, number.count), at: 0)
                            }
                            return unsafe EVP_PKEY_fromdata(context, &key, selection, &parameters)
                        }
                    }
                }
            }
        }
        // Unsafe: from here on, the key is either freed or returned. OpenSSL already refuses points that are not on the curve on import,
        // so no test reaches the check of a public key. Another version may not.
        guard status == 1, let imported = unsafe key, unsafe isGood(imported) else {
            unsafe EVP_PKEY_free(key)
            return nil
        }
        return unsafe imported
    }

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

/// The affine coordinates of a published P-256 key, 32 bytes each. The point may not be on the curve.
package struct P256Point: Hashable, Sendable {
    /// The length of a coordinate in bytes (RFC 7518 §6.2.1.2).
    package static let coordinateLength = 32

    /// The first coordinate, 32 bytes, big-endian.
    package let x: [UInt8]
    /// The second coordinate, 32 bytes, big-endian.
    package let y: [UInt8]

    /// Makes a point of two coordinates of 32 bytes each. It is not checked.
    package init(x: [UInt8], y: [UInt8]) {
        self.x = x
        self.y = y
    }

    /// The point in the form that OpenSSL takes: uncompressed (SEC 1 §2.3.3).
    var uncompressed: [UInt8] { [0x04] + x + y }
}

extension P256Point {
    /// The first coordinate of the point that belongs to a private key; nil if the number is not one.
    ///
    /// - Parameter number: the private key, 32 bytes, big-endian.
    package static func firstCoordinate(ofPrivateKey number: [UInt8]) -> [UInt8]? {
        // Unsafe: the objects are freed on every path, after their last use, and the arrays live during the calls.
        let group = unsafe EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1)
        defer { unsafe EC_GROUP_free(group) }
        let point = unsafe EC_POINT_new(group)
        defer { unsafe EC_POINT_free(point) }
        let scalar = unsafe BN_bin2bn(number, Int32(number.count), nil)
        defer { unsafe BN_free(scalar) }
        var encoded = [UInt8](repeating: 0, count: 1 + 2 * coordinateLength)
        let count = encoded.count
        guard unsafe group != nil && point != nil && scalar != nil,
            unsafe EC_POINT_mul(group, point, scalar, nil, nil, nil) == 1,
            unsafe EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, &encoded, count, nil) == count
        else {
            ERR_clear_error()
            return nil
        }
        return Array(encoded[1...coordinateLength])
    }

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

/// The check of each public key before it verifies anything.
enum PublicKeyCheck {
    /// Checks SP 800-56A §5.6.2.3.4: the coordinates are in range, and the point is on the curve and not at infinity.
    ///
    /// The full check of §5.6.2.3.3 also multiplies the point by the curve's order. That takes as long as verifying a
    /// signature and cannot fail: the curves here have the cofactor 1 (SP 800-186 §3.2.1), so every other point has
    /// that order.
    ///
    /// Unsafe: takes a pointer to a key.
    @unsafe
    static func isOnCurve(_ key: OpaquePointer) -> Bool {
        // Unsafe: the context holds a reference to the key and is freed on every path.
        guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else { return false }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        return unsafe EVP_PKEY_public_check_quick(context) == 1
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
