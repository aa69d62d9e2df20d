internal import COpenSSL

extension P256PublicKey {
    /// EVP_PKEY_PUBLIC_KEY, a macro that Swift cannot import: the parameters of the curve, and the point.
    private static let publicKeySelection =
        OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS | OSSL_KEYMGMT_SELECT_OTHER_PARAMETERS | OSSL_KEYMGMT_SELECT_PUBLIC_KEY

    /// Imports a point of 65 bytes and checks that it is on the curve.
    ///
    /// - Returns: a key that the caller has to free, or nil.
    ///
    /// Unsafe: the result is an owned pointer.
    @unsafe
    static func imported(_ point: [UInt8]) -> OpaquePointer? {
        // Unsafe: the context is freed on every path, after the key was made from it.
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { return nil }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        guard unsafe EVP_PKEY_fromdata_init(context) == 1 else { return nil }

        var key: OpaquePointer?
        var group = Array("P-256".utf8CString)
        var point = point
        // Unsafe: the parameters point into these two arrays and two C strings, all of which live until the inner
        // closure returns; OpenSSL only reads them, and the key that it makes has its own copies.
        let status = unsafe OSSL_PKEY_PARAM_GROUP_NAME.withCString { groupName in
            unsafe OSSL_PKEY_PARAM_PUB_KEY.withCString { pointName in
                unsafe group.withUnsafeMutableBufferPointer { group in
                    unsafe point.withUnsafeMutableBytes { point in
                        var parameters = unsafe [
                            OSSL_PARAM_construct_utf8_string(groupName, group.baseAddress, 0),
                            OSSL_PARAM_construct_octet_string(pointName, point.baseAddress, point.count),
                            OSSL_PARAM_construct_end(),
                        ]
                        return unsafe EVP_PKEY_fromdata(context, &key, publicKeySelection, &parameters)
                    }
                }
            }
        }
        // Unsafe: from here the key is freed, or handed to the caller.
        guard status == 1, let imported = unsafe key else {
            unsafe EVP_PKEY_free(key)
            return nil
        }
        guard unsafe PublicKeyCheck.isOnCurve(imported) else {
            // OpenSSL refuses such points when it imports them, so no test comes here; it need not stay so.
            unsafe EVP_PKEY_free(imported)
            return nil
        }
        return unsafe imported
    }
}
