internal import COpenSSL

/// What is checked of any public key before it verifies anything.
enum PublicKeyCheck {
    /// SP 800-56A §5.6.2.3.3: the coordinates are in range, the point is on the curve, not at infinity, and of the
    /// curve's order.
    ///
    /// Unsafe: takes a pointer to a key.
    @unsafe
    static func isOnCurve(_ key: OpaquePointer) -> Bool {
        // Unsafe: the context holds a reference to the key and is freed on every path.
        guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else { return false }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        return unsafe EVP_PKEY_public_check(context) == 1
    }
}
