internal import CLibraries
package import Encodings

/// The private half of a P-256 key, with which a secret is agreed (ECDH, SP 800-56A §5.7.1.2). It signs nothing, and is printed nowhere.
@safe
package final class P256AgreementKey: @unchecked Sendable {
    // Sendable: `key` never changes after `init`, and OpenSSL only reads it.
    //
    // Safe: `key` is not null, belongs to this object alone, and is passed to OpenSSL only while the object lives.
    private let key: OpaquePointer
    /// The public half.
    package let publicKey: P256PublicKey

    /// Imports a key.
    ///
    /// - Parameters:
    ///   - number: the private key, 32 bytes, big-endian. It is overwritten.
    ///   - publicKey: the public half.
    /// - Returns: nil if the number is no private key, or if the public half is that of another key.
    package init?(_ number: inout [UInt8], publicKey: P256PublicKey) {
        // OpenSSL takes numbers in the order of the machine. All processors that Swift supports on Linux are little-endian.
        number.reverse()
        let secret = SecretBytes(&number)
        guard secret.count == P256Point.coordinateLength else { return nil }
        // Unsafe: a null pointer or a key that this object now owns. The number lives until the closure returns.
        let imported = unsafe secret.withBytes { number in
            unsafe number.withUnsafeBufferPointer { number in
                unsafe P256PublicKey.imported(publicKey.uncompressed, number, where: Self.isPair)
            }
        }
        guard let key = unsafe imported else {
            ERR_clear_error()
            return nil
        }
        self.publicKey = publicKey
        unsafe self.key = key
    }

    deinit {
        // Unsafe: the only free, of the key that `init` got. OpenSSL overwrites its private part.
        unsafe EVP_PKEY_free(key)
    }

    /// The secret that this key shares with another one: the first coordinate of their product, 32 bytes.
    ///
    /// - Parameter other: the public key of the other side, which is on the curve.
    /// - Returns: nil if OpenSSL cannot compute it.
    package func secret(with other: P256PublicKey) -> SecretBytes? {
        defer { ERR_clear_error() }
        var secret = [UInt8](repeating: 0, count: P256Point.coordinateLength)
        var count = secret.count
        // Unsafe: a null pointer, or a context that is freed on every path. It holds references to both keys.
        guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else { return nil }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        let isReady = unsafe EVP_PKEY_derive_init(context) == 1
        guard isReady, unsafe other.withKey({ unsafe EVP_PKEY_derive_set_peer(context, $0) == 1 }),
            unsafe EVP_PKEY_derive(context, &secret, &count) == 1, count == secret.count
        else { return nil }
        return SecretBytes(&secret)
    }

    /// Whether the private number is in range, and the public half belongs to it (SP 800-56A §5.6.2.1).
    ///
    /// Unsafe: takes a pointer to a key.
    @unsafe
    private static func isPair(_ key: OpaquePointer) -> Bool {
        // Unsafe: the context holds a reference to the key and is freed on every path.
        guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else { return false }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        return unsafe EVP_PKEY_private_check(context) == 1 && EVP_PKEY_pairwise_check(context) == 1
    }
}
