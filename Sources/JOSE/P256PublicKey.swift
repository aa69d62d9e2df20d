internal import COpenSSL

/// A public key on the curve P-256 that can verify ES256 signatures (RFC 7518 §3.4).
///
/// The key is imported and checked once; that there is one means that its point is on the curve.
@safe
public final class P256PublicKey: @unchecked Sendable {
    // Sendable: `point` and `key` never change after `init`. The EVP_PKEY leaves this class only for the time of a call
    // that reads it or takes a reference (`P256Verification`), which again only reads it; OpenSSL counts its references atomically and guards what it caches in it by a lock of its own, so
    // that several threads may read one key (openssl-threads(7)). It is freed once, when nobody holds this object.
    //
    // Safe: `key` is not null, is owned by this object alone, and is passed to OpenSSL only while the object lives.

    private let point: P256Point
    private let key: OpaquePointer

    /// The point's first coordinate, 32 bytes, big-endian.
    public var x: [UInt8] { point.x }
    /// The point's second coordinate, 32 bytes, big-endian.
    public var y: [UInt8] { point.y }

    /// The point as it is written uncompressed (SEC 1 §2.3.3).
    var uncompressed: [UInt8] { point.uncompressed }

    /// Imports a key.
    ///
    /// - Parameters:
    ///   - x: the point's first coordinate, 32 bytes, big-endian.
    ///   - y: the point's second coordinate, likewise.
    /// - Throws: `JWKError`: `malformedCoordinate` for another length, `notOnCurve` if the coordinates are not those
    ///   of a point on P-256.
    public convenience init(x: [UInt8], y: [UInt8]) throws(JWKError) {
        guard x.count == P256Point.coordinateLength, y.count == P256Point.coordinateLength else {
            throw JWKError(
                .malformedCoordinate, "a coordinate of P-256 has 32 bytes, these have \(x.count) and \(y.count)")
        }
        try self.init(P256Point(x: x, y: y))
    }

    init(_ point: P256Point) throws(JWKError) {
        // Unsafe: a null pointer or a key whose ownership is now ours.
        guard let key = unsafe P256PublicKey.imported(point.uncompressed) else {
            // What OpenSSL left in its queue would otherwise be found by the next caller that looks there.
            ERR_clear_error()
            throw JWKError(.notOnCurve, #"the key's "x" and "y" are not a point on P-256"#)
        }
        self.point = point
        unsafe self.key = key
    }

    deinit {
        // Unsafe: the only free, of the key that `init` got.
        unsafe EVP_PKEY_free(key)
    }

    /// The key's RFC 7638 thumbprint, which an issuer has to use as its `kid` (SHC-K2).
    public var thumbprint: KeyID {
        // The required members in lexicographic order, without white space (RFC 7638 §3.1, §3.2).
        let members =
            #"{"crv":"P-256","kty":"EC","x":"\#(Base64URL.encode(x))","y":"\#(Base64URL.encode(y))"}"#
        return KeyID(Base64URL.encode(SHA256.digest(Array(members.utf8))))
    }

    /// Whether this key made the signature over the message.
    ///
    /// - Parameters:
    ///   - signature: a signature whose numbers are in range.
    ///   - message: the bytes that were signed: of a JWS its `signingInput`.
    /// - Returns: true only where OpenSSL verified the signature. Any failure, such as memory running out, is false.
    public func isValid(_ signature: ES256Signature, for message: ArraySlice<UInt8>) -> Bool {
        guard let context = VerificationContext() else { return false }
        return isValid(signature, for: message, in: context)
    }

    /// The same in a context that outlives the call, for who verifies many cards.
    package func isValid(
        _ signature: ES256Signature, for message: ArraySlice<UInt8>, in context: VerificationContext
    ) -> Bool {
        context.isValid(signature, for: message, by: self)
    }

    /// Calls `body` with OpenSSL's key, which must not leave it.
    ///
    /// Unsafe: the pointer is valid only inside `body`.
    @unsafe
    func withKey<Result>(_ body: (OpaquePointer) -> Result) -> Result {
        withExtendedLifetime(self) { unsafe body(key) }
    }
}

extension P256PublicKey: Hashable {
    /// Keys are equal where their points are.
    public static func == (left: P256PublicKey, right: P256PublicKey) -> Bool { left.point == right.point }

    public func hash(into hasher: inout Hasher) { hasher.combine(point) }
}
