internal import CLibraries
package import Encodings

/// Decryption with AES-256 in Galois/Counter Mode (NIST SP 800-38D), as JWE's `A256GCM` uses it (RFC 7518 §5.3).
package enum AES256GCM {
    /// The length of a key in bytes.
    package static let keyLength = 32
    /// The length of an initialization vector in bytes.
    package static let initializationVectorLength = 12
    /// The length of an authentication tag in bytes.
    package static let tagLength = 16

    /// Decrypts and authenticates.
    ///
    /// - Parameters:
    ///   - ciphertext: the ciphertext, of any length.
    ///   - initializationVector: exactly 12 bytes. OpenSSL would accept other lengths.
    ///   - tag: exactly 16 bytes. OpenSSL would accept a shorter tag, which is easier to forge.
    ///   - additionalData: the data that is authenticated, but not encrypted.
    ///   - key: exactly 32 bytes.
    /// - Returns: the plaintext; nil if anything was altered, the key is another one, or a length is wrong. No part of the
    ///   plaintext leaves this method before the tag has been verified.
    package static func open(
        _ ciphertext: [UInt8], initializationVector: [UInt8], tag: [UInt8], additionalData: ArraySlice<UInt8>,
        key: SecretBytes
    ) -> [UInt8]? {
        AESGCM.open(
            ciphertext, initializationVector: initializationVector, tag: tag, additionalData: additionalData, key: key,
            keyLength: keyLength)
    }
}

/// Decryption with AES in Galois/Counter Mode, with keys of 128 or 256 bits.
enum AESGCM {
    static let initializationVectorLength = 12
    static let tagLength = 16

    /// Decrypts and authenticates.
    ///
    /// - Parameters:
    ///   - keyLength: 16 or 32, as the caller's algorithm says.
    /// - Returns: the plaintext; nil if anything was altered, the key is another one, or a length is wrong. No part of the
    ///   plaintext leaves this method before the tag has been verified.
    static func open(
        _ ciphertext: [UInt8], initializationVector: [UInt8], tag: [UInt8], additionalData: ArraySlice<UInt8>,
        key: SecretBytes, keyLength: Int
    ) -> [UInt8]? {
        guard key.count == keyLength, initializationVector.count == initializationVectorLength, tag.count == tagLength,
            ciphertext.count < Int32.max, additionalData.count < Int32.max
        else { return nil }
        defer { ERR_clear_error() }
        guard let cipher = unsafe keyLength == 16 ? EVP_aes_128_gcm() : keyLength == 32 ? EVP_aes_256_gcm() : nil else {
            return nil
        }
        // Unsafe: a null pointer, or a context that is freed on every path.
        guard let context = unsafe EVP_CIPHER_CTX_new() else { return nil }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        var plaintext = [UInt8](repeating: 0, count: ciphertext.count)
        var written: Int32 = 0
        var tag = tag
        // Unsafe: OpenSSL reads the key and the vector's 12 bytes, `count` bytes of the data and the ciphertext, and the
        // tag's 16. It writes as many bytes as the ciphertext has. All of them live during the calls.
        let isStarted = key.withBytes { key in
            unsafe key.withUnsafeBufferPointer { key in
                unsafe EVP_DecryptInit_ex(context, cipher, nil, key.baseAddress, initializationVector) == 1
            }
        }
        guard isStarted else { return nil }
        let isAuthenticated = unsafe additionalData.withUnsafeBufferPointer { data in
            unsafe EVP_DecryptUpdate(context, nil, &written, data.baseAddress, Int32(data.count)) == 1
        }
        guard isAuthenticated,
            unsafe EVP_DecryptUpdate(context, &plaintext, &written, ciphertext, Int32(ciphertext.count)) == 1,
            Int(written) == ciphertext.count,
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tagLength), &tag) == 1,
            unsafe finish(context)
        else { return nil }
        return plaintext
    }

    /// Verifies the tag.
    ///
    /// Unsafe: takes a context in which everything was decrypted.
    @unsafe
    private static func finish(_ context: OpaquePointer) -> Bool {
        var rest = [UInt8](repeating: 0, count: 16)
        var written: Int32 = 0
        // Unsafe: in this mode OpenSSL writes nothing here, and never more than a block.
        return unsafe EVP_DecryptFinal_ex(context, &rest, &written) == 1 && written == 0
    }
}
