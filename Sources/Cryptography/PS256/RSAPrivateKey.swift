internal import CLibraries

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
