internal import CLibraries

/// Confirms ES256 signatures, many at a time, faster than EVP verifies them.
///
/// This code may only confirm signatures. EVP (`P256PublicKey.isValid`) decides about every signature that is not
/// confirmed here. So a valid signature that is missed here only costs time. Security depends on one property: `true`
/// is returned only for R = u1·G + u2·Q whose x is r modulo n (FIPS 186-5 §6.4.2). All arithmetic uses libcrypto's
/// public functions. Three things make it faster than EVP:
///
/// - One modular inversion serves all signatures of a call (Montgomery's trick).
/// - x is compared without an inversion (r·Z² with X).
/// - The key's multiples come from a table, if there is one (`P256KeyTable`).
///
/// Apart from the multiplications of points, this takes 1 to 2 µs.
///
/// Products are Montgomery products: a·b/R modulo n or p, with R = 2²⁵⁶. One takes 0.04 µs. a·b modulo n takes 0.23 µs,
/// and each signature needs eight products. Comments note where a power of R remains.
///
/// Keys, signatures and messages are public, so the code need not run in constant time.
@safe
final class SignatureConfirmation {
    /// The most signatures that share an inversion.
    static let batch = 64

    // Safe: all are made in `init`, belong to this object alone, are freed in `deinit`, and are passed to libcrypto
    // only while the object lives. Only one thread uses an object at a time, since it is not Sendable.
    private let group: OpaquePointer
    private let context: OpaquePointer
    private let field: OpaquePointer
    private let order: OpaquePointer
    private let (fieldProducts, orderProducts): (OpaquePointer, OpaquePointer)
    /// R³ modulo the field's size.
    private let cube: OpaquePointer
    /// s of each signature, and the product of all s up to it.
    private let s: [OpaquePointer]
    private let products: [OpaquePointer]
    private let (r, e, w, inverse): (OpaquePointer, OpaquePointer, OpaquePointer, OpaquePointer)
    private let (u1, u2, x, z): (OpaquePointer, OpaquePointer, OpaquePointer, OpaquePointer)
    private let (point, other): (OpaquePointer, OpaquePointer)

    /// Nil if libcrypto lacks a needed function, or if there is no memory. Then only EVP is used.
    init?() {
        guard shc_has_precomputation() == 1 else { return nil }
        // Unsafe: each pointer is checked and then belongs to this object. If one fails, the earlier ones leak. That
        // happens at most once for each thread, and only if there is no memory.
        guard let group = unsafe EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1), let context = unsafe BN_CTX_new(),
            let field = unsafe BN_new(), let order = unsafe BN_new(),
            unsafe EC_GROUP_get_curve(group, field, nil, nil, context) == 1,
            unsafe EC_GROUP_get_order(group, order, context) == 1,
            let fieldProducts = unsafe BN_MONT_CTX_new(), let orderProducts = unsafe BN_MONT_CTX_new(),
            unsafe BN_MONT_CTX_set(fieldProducts, field, context) == 1,
            unsafe BN_MONT_CTX_set(orderProducts, order, context) == 1,
            let point = unsafe EC_POINT_new(group), let other = unsafe EC_POINT_new(group)
        else { return nil }
        var numbers: [OpaquePointer] = unsafe []
        for _ in 0..<(2 * Self.batch + 9) {
            guard let number = unsafe BN_new() else { return nil }
            unsafe numbers.append(number)
        }
        unsafe (self.group, self.context, self.field, self.order) = unsafe (group, context, field, order)
        unsafe (self.fieldProducts, self.orderProducts) = unsafe (fieldProducts, orderProducts)
        unsafe (self.point, self.other) = unsafe (point, other)
        unsafe s = unsafe Array(numbers[..<Self.batch])
        unsafe products = unsafe Array(numbers[Self.batch..<(2 * Self.batch)])
        let rest = unsafe Array(numbers[(2 * Self.batch)...])
        unsafe (r, e, w, inverse) = unsafe (rest[0], rest[1], rest[2], rest[3])
        unsafe (u1, u2, x, z) = unsafe (rest[4], rest[5], rest[6], rest[7])
        unsafe cube = unsafe rest[8]
        guard unsafe BN_set_word(cube, 1) == 1 else { return nil }
        for _ in 0..<3 {
            guard unsafe BN_to_montgomery(cube, cube, fieldProducts, context) == 1 else { return nil }
        }
    }

    deinit {
        // Unsafe: the only free of each.
        let numbers = unsafe s + products + [r, e, w, inverse, u1, u2, x, z, cube, field, order]
        for index in unsafe numbers.indices { unsafe BN_free(numbers[index]) }
        unsafe BN_MONT_CTX_free(fieldProducts)
        unsafe BN_MONT_CTX_free(orderProducts)
        unsafe EC_POINT_free(point)
        unsafe EC_POINT_free(other)
        unsafe BN_CTX_free(context)
        unsafe EC_GROUP_free(group)
    }

    /// Prepares a key for confirming its signatures. Nil if libcrypto fails or there is no memory.
    func know(_ key: P256PublicKey, table: P256KeyTable? = nil) -> KnownKey? {
        // Unsafe: the group and the context belong to this object.
        unsafe KnownKey(key, table: table, group: group, context: context)
    }

    /// Says which of the signatures are confirmed. A signature that is not confirmed may still be valid.
    func confirm(_ claims: [DigestClaim]) -> [Bool] {
        var confirmed: [Bool] = []
        confirmed.reserveCapacity(claims.count)
        var rest = claims[...]
        while !rest.isEmpty {
            confirmed += confirmBatch(rest.prefix(Self.batch))
            rest = rest.dropFirst(Self.batch)
        }
        return confirmed
    }

    private func confirmBatch(_ claims: ArraySlice<DigestClaim>) -> [Bool] {
        defer { ERR_clear_error() }
        var confirmed = [Bool](repeating: false, count: claims.count)
        guard invert(claims) else { return confirmed }
        // From the last to the first: `inverse` is R times the inverse of p, where p = s₀·…·sₖ/Rᵏ is the product of all
        // s up to this one.
        for index in claims.indices.reversed() {
            let place = index - claims.startIndex
            // w = R/s, from R/p and the previous product: R·Rᵏ/(s₀·…·sₖ) · s₀·…·sₖ₋₁/Rᵏ⁻¹ / R.
            // Unsafe: the numbers are this object's own.
            let isReady =
                place == 0
                ? unsafe BN_copy(w, inverse) != nil
                : unsafe BN_mod_mul_montgomery(w, inverse, products[place - 1], orderProducts, context) == 1
            guard isReady else { return confirmed }
            confirmed[place] = isConfirmed(claims[index])
            guard unsafe BN_mod_mul_montgomery(inverse, inverse, s[place], orderProducts, context) == 1 else {
                // There is no memory. EVP is asked then, here and in all places where a number cannot be computed.
                return confirmed
            }
        }
        return confirmed
    }

    /// Computes the products of all s, and R times the inverse of the last.
    private func invert(_ claims: ArraySlice<DigestClaim>) -> Bool {
        for index in claims.indices {
            let place = index - claims.startIndex
            // Unsafe: the numbers are this object's own, and the bytes live for the call that reads them.
            guard unsafe Self.read(claims[index].signature.s, into: s[place]) else { return false }
            let isDone =
                place == 0
                ? unsafe BN_copy(products[0], s[0]) != nil
                : unsafe BN_mod_mul_montgomery(products[place], products[place - 1], s[place], orderProducts, context)
                    == 1
            guard isDone else { return false }
        }
        return unsafe BN_mod_inverse(inverse, products[claims.count - 1], order, context) != nil
            && BN_to_montgomery(inverse, inverse, orderProducts, context) == 1
    }

    @unsafe
    private static func read(_ bytes: ArraySlice<UInt8>, into number: OpaquePointer) -> Bool {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe BN_bin2bn(bytes.baseAddress, Int32(bytes.count), number) != nil
        }
    }

    /// Whether the x of the point u1·G + u2·Q is r modulo n. `w` must be R times the inverse of s.
    private func isConfirmed(_ claim: DigestClaim) -> Bool {
        // Unsafe: the numbers and points belong to this object. Those of the key live as long as `claim`.
        guard unsafe Self.read(claim.signature.r, into: r), unsafe Self.read(claim.digest[...], into: e) else {
            // There is no memory.
            return false
        }
        // Reduce the digest modulo n. It has 256 bits, so it is below 2·n.
        if unsafe BN_cmp(e, order) >= 0 {
            guard unsafe BN_sub(e, e, order) == 1, unsafe BN_cmp(e, order) < 0 else { return false }
        }
        // R in w and 1/R of the product cancel out.
        guard unsafe BN_mod_mul_montgomery(u1, e, w, orderProducts, context) == 1,
            unsafe BN_mod_mul_montgomery(u2, r, w, orderProducts, context) == 1, add(claim.key),
            unsafe EC_POINT_is_at_infinity(group, point) == 0,
            unsafe shc_projective(group, point, x, z, context) == 1, hasX()
        else { return false }
        return true
    }

    /// Computes u1·G + u2·Q.
    private func add(_ key: KnownKey) -> Bool {
        // Unsafe: the numbers and points belong to this object. Those of the key and the table live as long as `key`.
        guard let table = key.table else {
            return unsafe key.withPoint { unsafe EC_POINT_mul(group, point, u1, $0, u2, context) == 1 }
        }
        return unsafe table.isOf(key.key) && EC_POINT_mul(group, point, u1, nil, nil, context) == 1
            && table.multiply(by: u2, into: other, context) && EC_POINT_add(group, point, point, other, context) == 1
    }

    /// Whether X / Z² is r modulo n: X is r·Z², or (r + n)·Z² if r + n is below the field's size.
    private func hasX() -> Bool {
        // Unsafe: the numbers belong to this object. z becomes Z²/R, then Z²·R, and e is r·Z².
        guard unsafe BN_mod_mul_montgomery(z, z, z, fieldProducts, context) == 1,
            unsafe BN_mod_mul_montgomery(z, z, cube, fieldProducts, context) == 1,
            unsafe BN_mod_mul_montgomery(e, r, z, fieldProducts, context) == 1
        else { return false }
        if unsafe BN_cmp(e, x) == 0 { return true }
        guard unsafe BN_add(r, r, order) == 1, unsafe BN_cmp(r, field) < 0,
            unsafe BN_mod_mul_montgomery(e, r, z, fieldProducts, context) == 1
        else { return false }
        return unsafe BN_cmp(e, x) == 0
    }
}

/// A claim in the form that the arithmetic uses: with the message's digest and the prepared key.
struct DigestClaim {
    let signature: ES256Signature
    let key: KnownKey
    /// SHA-256 of the message.
    let digest: [UInt8]
}
