internal import CLibraries
package import Encodings

/// An RSA public key that can verify PS256 signatures (RFC 8230 §2, RFC 7518 §3.5): RSASSA-PSS with SHA-256, MGF1 with
/// SHA-256 and a salt of 32 bytes. It verifies nothing else.
///
/// The key is imported once. If this object exists, its numbers are of a size that OpenSSL verifies with, and odd. It
/// is not checked that the modulus is the product of two primes, which takes a hundred times as long as a verification:
/// who publishes such a key only weakens their own signatures.
@safe
package final class PS256PublicKey: @unchecked Sendable {
    // Sendable: `modulus`, `exponent` and `key` never change after `init`. The EVP_PKEY leaves this class only during
    // calls that read it or add a reference to it; see `P256PublicKey`. It is freed once, when the last reference to
    // this object is gone.
    //
    // Safe: `key` is not null, belongs to this object alone, and is passed to OpenSSL only while the object lives.

    /// The modulus n, big-endian, without leading zeros. A signature has as many bytes.
    package let modulus: [UInt8]
    /// The public exponent e, big-endian, without leading zeros.
    package let exponent: [UInt8]
    private let key: OpaquePointer

    /// The fewest bits of a modulus (RFC 8230 §2).
    package static let minimumBits = 2048
    /// The most bits of a modulus. Verifying takes time with their square.
    package static let maximumBits = 8192
    /// The most bytes of an exponent. Verifying takes time with their number.
    private static let maximumExponentLength = 8

    /// Imports a key.
    ///
    /// - Parameters:
    ///   - modulus: n, big-endian. Leading zeros are ignored.
    ///   - exponent: e, in the same form.
    /// - Throws: `Malformed` if the numbers are too small, too large, or cannot be those of an RSA key.
    package init(modulus: some Collection<UInt8>, exponent: some Collection<UInt8>) throws(Malformed) {
        let notAKey = Malformed("a pair of numbers that is no RSA key")
        let modulus = Array(modulus.drop { $0 == 0 })
        let exponent = Array(exponent.drop { $0 == 0 })
        guard let first = modulus.first, let last = modulus.last else { throw notAKey }
        let bits = modulus.count * 8 - first.leadingZeroBitCount
        guard bits >= PS256PublicKey.minimumBits else {
            throw Malformed("an RSA key of \(bits) bits, and at least \(PS256PublicKey.minimumBits) are required")
        }
        guard bits <= PS256PublicKey.maximumBits else {
            throw Malformed("an RSA key of \(bits) bits, and at most \(PS256PublicKey.maximumBits) are supported")
        }
        guard exponent.count <= PS256PublicKey.maximumExponentLength, let lowest = exponent.last,
            !lowest.isMultiple(of: 2), exponent != [1]
        else { throw Malformed("an RSA key whose public exponent is even, 1, or longer than 64 bits") }
        // A product of two large primes is odd.
        guard !last.isMultiple(of: 2) else { throw notAKey }
        // Unsafe: a null pointer or a key that this object now owns.
        guard let key = unsafe PS256PublicKey.imported(modulus, exponent) else {
            // OpenSSL takes all such numbers. Another version may not, or there is no memory.
            ERR_clear_error()
            throw notAKey
        }
        self.modulus = modulus
        self.exponent = exponent
        unsafe self.key = key
    }

    deinit {
        // Unsafe: the only free, of the key that `init` got.
        unsafe EVP_PKEY_free(key)
    }

    /// Whether this key made the signature over the message.
    ///
    /// - Parameters:
    ///   - signature: as many bytes as the modulus has. Others are no signature by this key.
    ///   - message: the bytes that were signed.
    ///   - context: a context that is reused, to verify many messages faster; nil to use none.
    /// - Returns: true only if OpenSSL verified the signature. False for all failures, such as too little memory.
    package func isValid(
        _ signature: ArraySlice<UInt8>, for message: ArraySlice<UInt8>, in context: VerificationContext? = nil
    ) -> Bool {
        (context ?? VerificationContext())?.isValid(signature, for: message, by: self) ?? false
    }

    /// Calls `body` with OpenSSL's key, which must not escape.
    ///
    /// Unsafe: the pointer is valid only inside `body`.
    @unsafe
    func withKey<Result>(_ body: (OpaquePointer) -> Result) -> Result {
        withExtendedLifetime(self) { unsafe body(key) }
    }
}

extension PS256PublicKey: Hashable {
    /// Keys are equal if their numbers are equal.
    package static func == (left: PS256PublicKey, right: PS256PublicKey) -> Bool {
        left.modulus == right.modulus && left.exponent == right.exponent
    }

    /// Hashes the numbers.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(modulus)
        hasher.combine(exponent)
    }
}

extension PS256PublicKey {
    /// Makes OpenSSL's key of two numbers, big-endian.
    ///
    /// - Returns: a key that the caller has to free, or nil.
    ///
    /// Unsafe: the result is an owned pointer.
    @unsafe
    private static func imported(_ modulus: [UInt8], _ exponent: [UInt8]) -> OpaquePointer? {
        // Unsafe: each is freed on every path, the numbers after the parameters that were made of them. The arrays live
        // for the calls that read them.
        guard let n = unsafe BN_bin2bn(modulus, Int32(modulus.count), nil) else { return nil }
        defer { unsafe BN_free(n) }
        guard let e = unsafe BN_bin2bn(exponent, Int32(exponent.count), nil) else { return nil }
        defer { unsafe BN_free(e) }
        guard let builder = unsafe OSSL_PARAM_BLD_new() else { return nil }
        defer { unsafe OSSL_PARAM_BLD_free(builder) }
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "RSA", nil) else { return nil }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        guard unsafe EVP_PKEY_fromdata_init(context) == 1 else { return nil }

        var key: OpaquePointer?
        let selection =
            OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS | OSSL_KEYMGMT_SELECT_OTHER_PARAMETERS
            | OSSL_KEYMGMT_SELECT_PUBLIC_KEY
        // Unsafe: the parameters keep pointers to the names, which are C strings that live until the inner closure
        // returns. OpenSSL only reads the parameters and copies them into the key.
        let status: Int32 = unsafe OSSL_PKEY_PARAM_RSA_N.withCString { modulusName in
            unsafe OSSL_PKEY_PARAM_RSA_E.withCString { exponentName in
                guard unsafe OSSL_PARAM_BLD_push_BN(builder, modulusName, n) == 1,
                    unsafe OSSL_PARAM_BLD_push_BN(builder, exponentName, e) == 1,
                    let parameters = unsafe OSSL_PARAM_BLD_to_param(builder)
                else { return 0 }
                defer { unsafe OSSL_PARAM_free(parameters) }
                return unsafe EVP_PKEY_fromdata(context, &key, selection, parameters)
            }
        }
        guard status == 1 else {
            unsafe EVP_PKEY_free(key)
            return nil
        }
        return unsafe key
    }
}
