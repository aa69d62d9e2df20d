import CLibraries
package import Encodings

/// The receiver's side of Hybrid Public Key Encryption (RFC 9180) in base mode, with DHKEM(P-256, HKDF-SHA256), HKDF-SHA256 and
/// AES-128-GCM, for one message.
///
/// Anybody who knows the public key can send such a message, so it says nothing about who did.
package enum HPKE {
    /// The length of an encapsulated key in bytes: an uncompressed point.
    package static let encapsulatedKeyLength = 65

    /// Opens the first message of a sender.
    ///
    /// - Parameters:
    ///   - ciphertext: the ciphertext with its tag.
    ///   - encapsulated: the sender's public key as an uncompressed point of 65 bytes.
    ///   - info: what both sides know of the session.
    ///   - key: the receiver's key.
    ///   - additionalData: data that is authenticated, but not encrypted.
    /// - Returns: the plaintext; nil if the message was sealed for another key or session, was altered, or has no valid point.
    package static func open(
        _ ciphertext: [UInt8], encapsulated: [UInt8], info: [UInt8], key: P256AgreementKey,
        additionalData: [UInt8] = []
    ) -> [UInt8]? {
        guard encapsulated.count == encapsulatedKeyLength, encapsulated.first == 0x04,
            let sender = try? P256PublicKey(x: Array(encapsulated[1...32]), y: Array(encapsulated[33...])),
            let shared = key.secret(with: sender),
            let schedule = schedule(shared, encapsulated, info: info, key.publicKey)
        else { return nil }
        return AES128GCM.open(
            ciphertext, nonce: schedule.nonce, additionalData: additionalData, key: schedule.key)
    }

    private static let keyEncapsulation: [UInt8] = Array("KEM".utf8) + [0x00, 0x10]
    private static let suite: [UInt8] = Array("HPKE".utf8) + [0x00, 0x10, 0x00, 0x01, 0x00, 0x01]

    /// The key and the nonce of the first message (RFC 9180 §4.1, §5.1).
    private static func schedule(
        _ agreed: SecretBytes, _ encapsulated: [UInt8], info: [UInt8], _ receiver: P256PublicKey
    ) -> (key: SecretBytes, nonce: SecretBytes)? {
        guard let extracted = extract(keyEncapsulation, salt: nil, "eae_prk", agreed),
            let shared = expand(
                keyEncapsulation, extracted, "shared_secret", encapsulated + receiver.uncompressed, length: 32),
            let identity = extract(suite, salt: nil, "psk_id_hash", nil),
            let session = extract(suite, salt: nil, "info_hash", secret(info)),
            let secret = extract(suite, salt: shared, "secret", nil)
        else { return nil }
        // Base mode is 0.
        let context = [0x00] + bytes(identity) + bytes(session)
        guard let key = expand(suite, secret, "key", context, length: AES128GCM.keyLength),
            let nonce = expand(suite, secret, "base_nonce", context, length: AES128GCM.nonceLength)
        else { return nil }
        return (key, nonce)
    }

    /// LabeledExtract (RFC 9180 §4).
    private static func extract(
        _ suite: [UInt8], salt: SecretBytes?, _ label: String, _ material: SecretBytes?
    ) -> SecretBytes? {
        var labelled = Array("HPKE-v1".utf8) + suite + label.utf8
        // Room for the secret, so that no copy of it stays behind in memory when the array grows.
        labelled.reserveCapacity(labelled.count + (material?.count ?? 0))
        material?.withBytes { for place in $0.indices { labelled.append($0[place]) } }
        return HKDF.extract(salt: salt, SecretBytes(&labelled))
    }

    /// LabeledExpand (RFC 9180 §4).
    private static func expand(
        _ suite: [UInt8], _ key: SecretBytes, _ label: String, _ info: [UInt8], length: Int
    ) -> SecretBytes? {
        let size = [UInt8(length >> 8), UInt8(length & 0xFF)]
        return HKDF.expand(key, info: size + "HPKE-v1".utf8 + suite + label.utf8 + info, length: length)
    }

    /// Bytes that are no secret, in the form that the steps take.
    private static func secret(_ bytes: [UInt8]) -> SecretBytes {
        var bytes = bytes
        return SecretBytes(&bytes)
    }

    private static func bytes(_ secret: SecretBytes) -> [UInt8] {
        secret.withBytes { span in span.indices.map { span[$0] } }
    }
}

/// Decryption with AES-128 in Galois/Counter Mode (NIST SP 800-38D), as HPKE uses it.
enum AES128GCM {
    static let keyLength = 16
    static let nonceLength = 12

    /// Decrypts and authenticates.
    ///
    /// - Parameters:
    ///   - sealed: the ciphertext, followed by the tag of 16 bytes.
    ///   - nonce: 12 bytes.
    ///   - additionalData: data that is authenticated, but not encrypted.
    ///   - key: 16 bytes.
    /// - Returns: the plaintext; nil if anything was altered, the key is another one, or a length is wrong.
    static func open(
        _ sealed: [UInt8], nonce: SecretBytes, additionalData: [UInt8], key: SecretBytes
    ) -> [UInt8]? {
        guard sealed.count >= AESGCM.tagLength else { return nil }
        let end = sealed.count - AESGCM.tagLength
        return AESGCM.open(
            Array(sealed[..<end]), initializationVector: nonce.withBytes { span in span.indices.map { span[$0] } },
            tag: Array(sealed[end...]), additionalData: additionalData[...], key: key, keyLength: keyLength)
    }
}

/// The two steps of HKDF with SHA-256 (RFC 5869 §2).
enum HKDF {
    /// Draws a key from a secret.
    ///
    /// - Parameter salt: may be empty.
    /// - Returns: 32 bytes; nil if OpenSSL cannot compute them.
    static func extract(salt: SecretBytes?, _ secret: SecretBytes) -> SecretBytes? {
        var empty: [UInt8] = []
        return derive("EXTRACT_ONLY", key: secret, "salt", salt ?? SecretBytes(&empty), length: SHA256.digestLength)
    }

    /// Derives bytes from a key.
    ///
    /// - Parameters:
    ///   - key: what `extract` gave.
    ///   - info: what the bytes are for.
    ///   - length: how many bytes, 1 to 8160.
    /// - Returns: nil if OpenSSL cannot compute them.
    static func expand(_ key: SecretBytes, info: [UInt8], length: Int) -> SecretBytes? {
        var info = info
        return derive("EXPAND_ONLY", key: key, "info", SecretBytes(&info), length: length)
    }

    /// - Parameters:
    ///   - mode: the step, as OpenSSL names it.
    ///   - name: the name of the parameter `value`.
    private static func derive(
        _ mode: String, key: SecretBytes, _ name: StaticString, _ value: SecretBytes, length: Int
    ) -> SecretBytes? {
        defer { ERR_clear_error() }
        // Unsafe: null pointers, or objects that are freed on every path. The context has a reference to the function.
        guard let function = unsafe EVP_KDF_fetch(nil, "HKDF", nil) else { return nil }
        defer { unsafe EVP_KDF_free(function) }
        guard let context = unsafe EVP_KDF_CTX_new(function) else { return nil }
        defer { unsafe EVP_KDF_CTX_free(context) }
        var (mode, digest) = (Array(mode.utf8CString), Array("SHA256".utf8CString))
        var derived = [UInt8](repeating: 0, count: length)
        // Unsafe: the parameters point to names that live as long as the program, and into arrays and secrets that live until the
        // inner closure returns. OpenSSL only reads them, although it takes pointers to what can be changed.
        let status = key.withBytes { key in
            value.withBytes { value in
                unsafe key.withUnsafeBufferPointer { key in
                    unsafe value.withUnsafeBufferPointer { value in
                        unsafe mode.withUnsafeMutableBufferPointer { mode in
                            unsafe digest.withUnsafeMutableBufferPointer { digest in
                                var parameters = unsafe [
                                    OSSL_PARAM_construct_utf8_string(pointer(to: "mode"), mode.baseAddress, 0),
                                    OSSL_PARAM_construct_utf8_string(pointer(to: "digest"), digest.baseAddress, 0),
                                    OSSL_PARAM_construct_octet_string(
                                        pointer(to: "key"), UnsafeMutablePointer(mutating: key.baseAddress), key.count),
                                ]
                                // Without a salt, HKDF takes zeros (RFC 5869 §2.2). OpenSSL wants no empty one.
                                if !value.isEmpty {
                                    unsafe parameters.append(
                                        OSSL_PARAM_construct_octet_string(
                                            pointer(to: name), UnsafeMutablePointer(mutating: value.baseAddress),
                                            value.count))
                                }
                                unsafe parameters.append(OSSL_PARAM_construct_end())
                                return unsafe EVP_KDF_derive(context, &derived, length, &parameters)
                            }
                        }
                    }
                }
            }
        }
        let secret = SecretBytes(&derived)
        return status == 1 ? secret : nil
    }

    /// The name of a parameter as a C string. A literal ends with a zero and is never freed, so OpenSSL may keep the pointer.
    ///
    /// Unsafe: returns a pointer.
    @unsafe
    private static func pointer(to name: StaticString) -> UnsafePointer<CChar> {
        // Unsafe: both types have one byte, and every bit pattern is valid for both.
        unsafe UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
    }
}

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
