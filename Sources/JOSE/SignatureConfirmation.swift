internal import COpenSSL

/// Confirms ES256 signatures, many at a time, faster than EVP verifies them.
///
/// It may only confirm: what it does not confirm is asked of EVP (`P256PublicKey.isValid`), whose answer stands. So a
/// mistake here could cost time by a signature that is not recognised, and everything rests on one direction: that
/// `true` is returned only for R = u1·G + u2·Q whose x is r modulo n (FIPS 186-5 §6.4.2). All arithmetic is libcrypto's, by
/// its public functions; three things make it faster than EVP: one modular inversion serves all signatures of a call
/// (Montgomery's trick), x is compared without an inversion (r·Z² with X), and the key's multiples come from a table
/// where there is one (`P256KeyTable`).
///
/// Nothing in it is secret: keys, signatures and messages are public, so constant time is not asked for.
@safe
final class SignatureConfirmation {
    /// How many signatures share an inversion at most.
    static let batch = 64

    // Safe: all of them are made in `init`, owned by this object alone, freed in `deinit`, and passed to libcrypto only
    // while the object lives. One thread uses an object at a time, since it is not Sendable.
    private let group: OpaquePointer
    private let context: OpaquePointer
    private let field: OpaquePointer
    private let order: OpaquePointer
    /// s, then the product of all s up to here.
    private let s: [OpaquePointer]
    private let products: [OpaquePointer]
    private let (r, e, w, inverse): (OpaquePointer, OpaquePointer, OpaquePointer, OpaquePointer)
    private let (u1, u2, x, z): (OpaquePointer, OpaquePointer, OpaquePointer, OpaquePointer)
    private let (point, other, keyPoint): (OpaquePointer, OpaquePointer, OpaquePointer)

    /// Nil where libcrypto lacks what this needs, or there is no memory: then EVP serves alone.
    init?() {
        guard shc_has_precomputation() == 1 else { return nil }
        // Unsafe: each pointer is checked and then owned by this object. What was made before a failure is leaked, which
        // happens at most once a thread and only where memory has run out.
        guard let group = unsafe EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1), let context = unsafe BN_CTX_new(),
            let field = unsafe BN_new(), let order = unsafe BN_new(),
            unsafe EC_GROUP_get_curve(group, field, nil, nil, context) == 1,
            unsafe EC_GROUP_get_order(group, order, context) == 1,
            let point = unsafe EC_POINT_new(group), let other = unsafe EC_POINT_new(group),
            let keyPoint = unsafe EC_POINT_new(group)
        else { return nil }
        var numbers: [OpaquePointer] = unsafe []
        for _ in 0..<(2 * Self.batch + 8) {
            guard let number = unsafe BN_new() else { return nil }
            unsafe numbers.append(number)
        }
        unsafe (self.group, self.context, self.field, self.order) = unsafe (group, context, field, order)
        unsafe (self.point, self.other, self.keyPoint) = unsafe (point, other, keyPoint)
        unsafe s = unsafe Array(numbers[..<Self.batch])
        unsafe products = unsafe Array(numbers[Self.batch..<(2 * Self.batch)])
        let rest = unsafe Array(numbers[(2 * Self.batch)...])
        unsafe (r, e, w, inverse) = unsafe (rest[0], rest[1], rest[2], rest[3])
        unsafe (u1, u2, x, z) = unsafe (rest[4], rest[5], rest[6], rest[7])
    }

    deinit {
        // Unsafe: the only free of each.
        let numbers = unsafe s + products + [r, e, w, inverse, u1, u2, x, z, field, order]
        for index in unsafe numbers.indices { unsafe BN_free(numbers[index]) }
        unsafe EC_POINT_free(point)
        unsafe EC_POINT_free(other)
        unsafe EC_POINT_free(keyPoint)
        unsafe BN_CTX_free(context)
        unsafe EC_GROUP_free(group)
    }

    /// Which of the signatures are confirmed. That one is not says nothing.
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
        // From the last to the first: `inverse` is that of the product of all s up to here.
        for index in claims.indices.reversed() {
            let place = index - claims.startIndex
            let claim = claims[index]
            // Unsafe: the numbers are this object's own.
            let isReady =
                place == 0
                ? unsafe BN_copy(w, inverse) != nil
                : unsafe BN_mod_mul(w, inverse, products[place - 1], order, context) == 1
            guard isReady else { return confirmed }
            confirmed[place] = isConfirmed(claim)
            guard unsafe BN_mod_mul(inverse, inverse, s[place], order, context) == 1 else { return confirmed }
        }
        return confirmed
    }

    /// Computes the products of all s, and the inverse of the last.
    private func invert(_ claims: ArraySlice<DigestClaim>) -> Bool {
        for (place, claim) in claims.enumerated() {
            // Unsafe: the numbers are this object's own, and the bytes live for the call that reads them.
            guard unsafe Self.read(claim.signature.s, into: s[place]) else { return false }
            let isDone =
                place == 0
                ? unsafe BN_copy(products[0], s[0]) != nil
                : unsafe BN_mod_mul(products[place], products[place - 1], s[place], order, context) == 1
            guard isDone else { return false }
        }
        return unsafe BN_mod_inverse(inverse, products[claims.count - 1], order, context) != nil
    }

    @unsafe
    private static func read(_ bytes: ArraySlice<UInt8>, into number: OpaquePointer) -> Bool {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe BN_bin2bn(bytes.baseAddress, Int32(bytes.count), number) != nil
        }
    }

    /// Whether the point u1·G + u2·Q, with `w` the inverse of s, has r as its x modulo n.
    private func isConfirmed(_ claim: DigestClaim) -> Bool {
        // Unsafe: the numbers and points are this object's own; the key's live as long as `claim`.
        guard unsafe Self.read(claim.signature.r, into: r), unsafe Self.read(claim.digest[...], into: e),
            unsafe BN_mod_mul(u1, e, w, order, context) == 1, unsafe BN_mod_mul(u2, r, w, order, context) == 1
        else { return false }
        if let table = claim.table {
            guard table.isOf(claim.key), unsafe EC_POINT_mul(group, point, u1, nil, nil, context) == 1,
                unsafe table.multiply(by: u2, into: other, context),
                unsafe EC_POINT_add(group, point, point, other, context) == 1
            else { return false }
        } else {
            let encoded = claim.key.uncompressed
            let isRead = unsafe encoded.withUnsafeBufferPointer { encoded in
                unsafe EC_POINT_oct2point(group, keyPoint, encoded.baseAddress, encoded.count, context) == 1
            }
            guard isRead, unsafe EC_POINT_mul(group, point, u1, keyPoint, u2, context) == 1 else { return false }
        }
        guard unsafe EC_POINT_is_at_infinity(group, point) == 0,
            unsafe shc_projective(group, point, x, z, context) == 1,
            unsafe BN_mod_sqr(z, z, field, context) == 1, unsafe BN_mod_mul(e, r, z, field, context) == 1
        else { return false }
        if unsafe BN_cmp(e, x) == 0 { return true }
        // x may also be r + n, where that is below the field's size.
        guard unsafe BN_add(r, r, order) == 1, unsafe BN_cmp(r, field) < 0,
            unsafe BN_mod_mul(e, r, z, field, context) == 1
        else { return false }
        return unsafe BN_cmp(e, x) == 0
    }
}
