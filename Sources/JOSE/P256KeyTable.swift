internal import COpenSSL

/// Multiples of a key's point, which make the multiplication by it cheap: some 150 KB, and some 30 ms to make. Worth it
/// for a key that many signatures are by.
@safe
final class P256KeyTable: @unchecked Sendable {
    // Sendable: the group never changes after `init`; libcrypto only reads it in a multiplication.
    //
    // Safe: not null, owned by this object alone, freed once, and passed to libcrypto only while the object lives.
    private let group: OpaquePointer
    private let key: P256PublicKey

    /// Makes the table; nil if libcrypto cannot, or there is no memory.
    init?(_ key: P256PublicKey) {
        defer { ERR_clear_error() }
        // Unsafe: each pointer is checked; the point and the context are freed here, the group in `deinit` or here.
        guard shc_has_precomputation() == 1, let context = unsafe BN_CTX_new() else { return nil }
        defer { unsafe BN_CTX_free(context) }
        guard let group = unsafe EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1) else { return nil }
        guard let point = unsafe EC_POINT_new(group) else {
            // Memory has run out: that cannot be provoked in a test.
            unsafe EC_GROUP_free(group)
            return nil
        }
        defer { unsafe EC_POINT_free(point) }
        let encoded = key.uncompressed
        let isMade = unsafe encoded.withUnsafeBufferPointer { encoded in
            unsafe EC_POINT_oct2point(group, point, encoded.baseAddress, encoded.count, context) == 1
                && EC_GROUP_set_generator(group, point, EC_GROUP_get0_order(group), EC_GROUP_get0_cofactor(group)) == 1
                && shc_precompute(group, context) == 1
        }
        guard isMade else {
            // Likewise: the key's point was on the curve when it was imported, and never is the one at infinity.
            unsafe EC_GROUP_free(group)
            return nil
        }
        unsafe self.group = group
        self.key = key
    }

    deinit {
        // Unsafe: the only free.
        unsafe EC_GROUP_free(group)
    }

    /// Whether the table is of this key.
    func isOf(_ key: P256PublicKey) -> Bool { self.key === key || self.key == key }

    /// Multiplies the key's point.
    ///
    /// Unsafe: the pointers have to be live objects of libcrypto.
    @unsafe
    func multiply(by number: OpaquePointer, into result: OpaquePointer, _ context: OpaquePointer) -> Bool {
        unsafe EC_POINT_mul(group, result, number, nil, nil, context) == 1
    }
}
