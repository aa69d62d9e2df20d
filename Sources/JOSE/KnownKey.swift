internal import COpenSSL

/// A key that a thread confirms signatures by, with what is worth keeping of it from one signature to the next.
@safe
final class KnownKey {
    // Safe: not null, owned by this object alone, freed once, never changed after `init`, and passed to libcrypto only
    // while the object lives.
    private let point: OpaquePointer
    /// Held, so that nothing else has its identity.
    let key: P256PublicKey
    /// Multiples of the key's point; nil if there are none yet.
    var table: P256KeyTable?
    /// Valid signatures that the shared tables have not been told of.
    var news = 0

    /// Reads the key's point, once; nil if libcrypto cannot, or there is no memory.
    ///
    /// - Parameters:
    ///   - group: P-256 of libcrypto.
    ///   - context: libcrypto's scratch memory.
    ///
    /// Unsafe: the pointers have to be live objects of libcrypto. They are not held on to.
    @unsafe
    init?(_ key: P256PublicKey, table: P256KeyTable? = nil, group: OpaquePointer, context: OpaquePointer) {
        // Unsafe: the point is checked, and freed on failure; the bytes live for the call that reads them.
        guard let point = unsafe EC_POINT_new(group) else {
            // Memory has run out: that cannot be provoked in a test.
            ERR_clear_error()
            return nil
        }
        let encoded = key.uncompressed
        guard unsafe EC_POINT_oct2point(group, point, encoded, encoded.count, context) == 1 else {
            // Likewise: the key's point was on the curve when it was imported.
            unsafe EC_POINT_free(point)
            ERR_clear_error()
            return nil
        }
        unsafe self.point = point
        self.key = key
        self.table = table
    }

    deinit {
        // Unsafe: the only free.
        unsafe EC_POINT_free(point)
    }

    /// Calls `body` with libcrypto's point, which must not leave it, nor be changed.
    ///
    /// Unsafe: the pointer is valid only inside `body`.
    @unsafe
    func withPoint<Result>(_ body: (OpaquePointer) -> Result) -> Result {
        withExtendedLifetime(self) { unsafe body(point) }
    }
}
