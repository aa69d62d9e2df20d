import CLibraries
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

/// Says whether numbers are the private half of an RSA key, to find keys whose private half is published. All numbers are
/// big-endian, and nothing here is secret any more.
package enum RSAPrivateKey {
    /// Whether a number is a prime factor of a modulus, or at least a factor other than 1 and itself.
    package static func isFactor(_ factor: [UInt8], of modulus: [UInt8]) -> Bool {
        let (factor, modulus) = (significant(factor), significant(modulus))
        guard isInRange(factor), isInRange(modulus), factor != [1], factor != modulus else { return false }
        return unsafe compute(modulus, factor) { modulus, factor, _, context in
            guard let remainder = unsafe BN_new() else { return nil }
            defer { unsafe BN_free(remainder) }
            guard unsafe BN_div(nil, remainder, modulus, factor, context) == 1 else { return nil }
            return unsafe BN_is_zero(remainder) == 1
        } ?? false
    }

    /// The modulus that has these two factors; nil if one of them is 0 or 1, which anybody can write beside another's modulus.
    package static func product(_ one: [UInt8], _ other: [UInt8]) -> [UInt8]? {
        let (one, other) = (significant(one), significant(other))
        guard isInRange(one), isInRange(other), one != [1], other != [1] else { return nil }
        return unsafe compute(one, other) { one, other, _, context in
            guard let product = unsafe BN_new() else { return nil }
            defer { unsafe BN_free(product) }
            guard unsafe BN_mul(product, one, other, context) == 1 else { return nil }
            var bytes = [UInt8](repeating: 0, count: Int(unsafe BN_num_bits(product) + 7) / 8)
            guard unsafe BN_bn2bin(product, &bytes) == bytes.count else { return nil }
            return bytes
        }
    }

    /// Whether an exponent undoes the public exponent, so that it is the private half of the key.
    ///
    /// It is tried with one number, 2: (2^e)^d = 2 mod n. With e above 1, such a d gives a multiple of the order of 2, which only
    /// somebody who knows the factors can find.
    package static func isPrivate(
        exponent: [UInt8], ofModulus modulus: [UInt8], publicExponent: [UInt8]
    ) -> Bool {
        let (exponent, modulus) = (significant(exponent), significant(modulus))
        return unsafe raisesTwo(exponent, modulus, significant(publicExponent)) { power, base, _, _ in
            unsafe BN_cmp(power, base) == 0
        }
    }

    /// Whether an exponent undoes the public exponent for one of the factors, as `dp` and `dq` do (RFC 7518 §6.3.2.4), so that it
    /// gives this factor.
    ///
    /// It is tried with one number, 2: (2^e)^dp = 2 mod p, so p divides the difference, and the other factor most likely does not.
    package static func isPrivate(
        factorExponent exponent: [UInt8], ofModulus modulus: [UInt8], publicExponent: [UInt8]
    ) -> Bool {
        guard exponent.count < modulus.count else { return false }
        return unsafe raisesTwo(exponent, modulus, publicExponent) { power, base, modulus, context in
            guard unsafe BN_mod_sub(power, power, base, modulus, context) == 1,
                unsafe BN_is_zero(power) == 0,
                unsafe BN_gcd(power, power, modulus, context) == 1
            else { return false }
            return unsafe BN_is_one(power) == 0
        }
    }

    /// Raises 2 to both exponents, and tells whether the power is as it should be.
    ///
    /// - Parameter isWanted: is given the power, 2, the modulus and a context.
    /// - Returns: false as well for numbers that are those of no key.
    @unsafe
    private static func raisesTwo(
        _ exponent: [UInt8], _ modulus: [UInt8], _ publicExponent: [UInt8],
        _ isWanted: (OpaquePointer, OpaquePointer, OpaquePointer, OpaquePointer) -> Bool
    ) -> Bool {
        guard isInRange(modulus), isInRange(exponent), modulus.count > 1,
            modulus.last.map({ !$0.isMultiple(of: 2) }) == true,
            publicExponent.count <= 8, publicExponent != [1]
        else { return false }
        return unsafe compute(modulus, exponent, publicExponent) { modulus, exponent, publicExponent, context in
            guard let base = unsafe BN_new(), let power = unsafe BN_new() else { return nil }
            defer {
                unsafe BN_free(base)
                unsafe BN_free(power)
            }
            guard unsafe BN_set_word(base, 2) == 1,
                unsafe BN_mod_exp(power, base, publicExponent, modulus, context) == 1,
                unsafe BN_mod_exp(power, power, exponent, modulus, context) == 1
            else { return nil }
            return unsafe isWanted(power, base, modulus, context)
        } ?? false
    }

    /// A number without leading zeros; empty for 0.
    private static func significant(_ number: [UInt8]) -> [UInt8] { Array(number.drop { $0 == 0 }) }

    private static func isInRange(_ number: [UInt8]) -> Bool {
        !number.isEmpty && number.count <= PS256PublicKey.maximumBits / 8
    }

    /// Calls `body` with OpenSSL's numbers, which must not escape.
    ///
    /// Unsafe: the pointers are valid only inside `body`.
    @unsafe
    private static func compute<Result>(
        _ first: [UInt8], _ second: [UInt8], _ third: [UInt8] = [],
        _ body: (OpaquePointer, OpaquePointer, OpaquePointer, OpaquePointer) -> Result?
    ) -> Result? {
        defer { ERR_clear_error() }
        // Unsafe: each is freed on every path, after its last use. The arrays live for the calls that read them.
        guard let context = unsafe BN_CTX_new() else { return nil }
        defer { unsafe BN_CTX_free(context) }
        guard let first = unsafe BN_bin2bn(first, Int32(first.count), nil) else { return nil }
        defer { unsafe BN_free(first) }
        guard let second = unsafe BN_bin2bn(second, Int32(second.count), nil) else { return nil }
        defer { unsafe BN_free(second) }
        guard let third = unsafe BN_bin2bn(third, Int32(third.count), nil) else { return nil }
        defer { unsafe BN_free(third) }
        return unsafe body(first, second, third, context)
    }
}
