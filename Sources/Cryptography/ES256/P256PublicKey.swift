internal import CLibraries
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
