internal import CLibraries
package import Encodings

/// A public key on the curve P-521. It verifies ECDSA signatures with SHA-512 over whole files, such as that of the VCI
/// directory's snapshot (SHC-D3).
///
/// The key is imported and checked once. If this object exists, its point is on the curve.
@safe
package final class P521PublicKey: @unchecked Sendable {
    // Sendable: `key` never changes after `init`, and leaves this class only during calls that read it; see
    // `P256PublicKey`. It is freed once, when the last reference to this object is gone.
    //
    // Safe: `key` is not null, belongs to this object alone, and is passed to OpenSSL only while the object lives.
    private let key: OpaquePointer

    /// The SHA-256 of the key's SubjectPublicKeyInfo in DER, 32 bytes. It identifies the key.
    package let fingerprint: [UInt8]

    /// Reads the key from a certificate.
    ///
    /// The user who names the certificate trusts its key. The certificate's dates, names and signature are not checked.
    ///
    /// - Parameter pem: one certificate in PEM (RFC 7468).
    /// - Throws: `Malformed` if there is not exactly one certificate, it cannot be parsed, or its key is not
    ///   on P-521.
    package convenience init(certificate pem: [UInt8]) throws(Malformed) {
        let certificate = try PEM.onlyCertificate(in: pem)
        // Unsafe: the key belongs to the certificate. The reference that is added here goes to the initializer.
        let key = unsafe certificate.withX509 { unsafe X509_get_pubkey($0) }
        try unsafe self.init(owning: key, "the certificate's key")
    }

    /// Imports a key.
    ///
    /// - Parameter der: its SubjectPublicKeyInfo (RFC 5280 §4.1.2.7) in DER, with nothing after it.
    /// - Throws: `Malformed` if it cannot be parsed, or if the key is not on P-521.
    package convenience init(subjectPublicKeyInfo der: [UInt8]) throws(Malformed) {
        // Unsafe: the array lives while OpenSSL reads its `count` bytes and advances its own copy of the pointer. The
        // key goes to the initializer, or is freed.
        let key: OpaquePointer? = unsafe der.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            let key = unsafe d2i_PUBKEY(nil, &next, bytes.count)
            guard let start = bytes.baseAddress, unsafe next == start + bytes.count else {
                unsafe EVP_PKEY_free(key)
                return nil
            }
            return unsafe key
        }
        try unsafe self.init(owning: key, "the key")
    }

    /// Unsafe: takes a null pointer or that of an EVP_PKEY. It owns the key from here on, even if it throws.
    @unsafe
    private init(owning key: OpaquePointer?, _ name: String) throws(Malformed) {
        defer { ERR_clear_error() }
        let unreadable = Malformed("\(name) cannot be read")
        guard let key = unsafe key else { throw unreadable }
        let kind = unsafe P521PublicKey.kind(of: key)
        guard kind == P521PublicKey.curve else {
            unsafe EVP_PKEY_free(key)
            throw Malformed("\(name) is of the kind \(kind), expected a key on P-521")
        }
        guard unsafe PublicKeyCheck.isOnCurve(key), let info = unsafe P521PublicKey.subjectPublicKeyInfo(of: key) else {
            // OpenSSL does not parse a point that is not on the curve. Another version may, or there is no memory.
            unsafe EVP_PKEY_free(key)
            throw unreadable
        }
        fingerprint = SHA256.digest(info)
        unsafe self.key = key
    }

    deinit {
        // Unsafe: the only free, of the key that `init` got.
        unsafe EVP_PKEY_free(key)
    }

    /// OpenSSL's name for P-521.
    private static let curve = "secp521r1"

    /// OpenSSL's name for the curve of a key, or for the type of the key if it has no curve.
    ///
    /// Unsafe: takes a pointer to a key.
    @unsafe
    private static func kind(of key: OpaquePointer) -> String {
        var name = [CChar](repeating: 0, count: 80)
        var count = 0
        // Unsafe: OpenSSL writes at most as many characters as the array has, including the null byte.
        if unsafe EVP_PKEY_get_group_name(key, &name, name.count, &count) == 1, count < name.count {
            return String(decoding: name.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        // Unsafe: a null pointer or a C string that belongs to the key's type.
        return unsafe EVP_PKEY_get0_type_name(key).map { unsafe String(cString: $0) } ?? "that has no name"
    }

    /// Unsafe: takes a pointer to a key.
    @unsafe
    private static func subjectPublicKeyInfo(of key: OpaquePointer) -> [UInt8]? {
        var buffer: UnsafeMutablePointer<UInt8>?
        // Unsafe: OpenSSL allocates the buffer, whose length it returns. The buffer is copied, then freed.
        let count = unsafe i2d_PUBKEY(key, &buffer)
        defer { unsafe CRYPTO_free(buffer, nil, 0) }
        guard count > 0, let start = unsafe buffer else { return nil }
        return unsafe [UInt8](UnsafeBufferPointer(start: start, count: Int(count)))
    }

    // MARK: Verification

    /// Verifies an ECDSA signature with SHA-512 over a message. The message is not copied.
    ///
    /// - Parameters:
    ///   - signature: a SEQUENCE of two INTEGERs (RFC 3279 §2.2.3) in DER.
    ///   - message: the bytes that were signed, such as those of a whole file.
    /// - Throws: `Malformed` if the bytes cannot be a signature by such a key, or if OpenSSL does not verify it.
    package func verify(_ signature: [UInt8], over message: [UInt8]) throws(Malformed) {
        guard P521PublicKey.isSignature(signature) else {
            let isText = signature.prefix(64).allSatisfy { $0 < 0x7F && ($0 >= 0x20 || 0x09...0x0D ~= $0) }
            throw Malformed(
                signature.isEmpty
                    ? "the signature is empty"
                    : isText
                        ? "the signature is text, expected an ECDSA signature in DER"
                        : "the signature's \(signature.count) bytes are not an ECDSA signature in DER")
        }
        guard isValid(signature, for: message) else { throw Self.notVerified }
    }

    package static let notVerified = Malformed(
        "the signature does not match this key and these bytes: the file was changed after it was signed, was not "
            + "signed by this key, or the signature belongs to another version of it")

    private func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        // Unsafe: a null pointer, or a context that is freed on every path, together with its reference to the key.
        guard let context = unsafe EVP_MD_CTX_new() else { return false }
        defer { unsafe EVP_MD_CTX_free(context) }
        // Unsafe: this object keeps the key alive, and the arrays live during the call that reads them.
        let status = withExtendedLifetime(self) {
            guard unsafe EVP_DigestVerifyInit(context, nil, EVP_sha512(), nil, key) == 1 else { return -1 as Int32 }
            return unsafe EVP_DigestVerify(context, signature, signature.count, message, message.count)
        }
        // Only 1 means that the signature verifies. 0 means that it does not, and a negative number is a failure.
        if status != 1 { ERR_clear_error() }
        return status == 1
    }

    /// Whether the bytes are one ECDSA signature in DER. OpenSSL checks this again when it verifies.
    private static func isSignature(_ bytes: [UInt8]) -> Bool {
        defer { ERR_clear_error() }
        // Unsafe: the array lives while OpenSSL reads its `count` bytes. The parsed signature is freed on every path.
        return unsafe bytes.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            let signature = unsafe d2i_ECDSA_SIG(nil, &next, bytes.count)
            defer { unsafe ECDSA_SIG_free(signature) }
            guard unsafe signature != nil, let start = bytes.baseAddress else { return false }
            return unsafe next == start + bytes.count
        }
    }
}
