internal import COpenSSL

/// What is checked of any public key before it verifies anything.
enum PublicKeyCheck {
    /// SP 800-56A §5.6.2.3.4: the coordinates are in range, and the point is on the curve and not at infinity.
    ///
    /// What §5.6.2.3.3 has in addition, to multiply the point by the curve's order, takes as long as to verify a signature
    /// and cannot fail: the curves here have the cofactor 1 (SP 800-186 §3.2.1), so every other point has that order.
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
