internal import COpenSSL

/// A public key on the curve P-521, for signatures over whole files by ECDSA with SHA-512, such as that of the VCI
/// directory's snapshot (SHC-D3).
///
/// The key is imported and checked once; that there is one means that its point is on the curve.
@safe
public final class P521PublicKey: @unchecked Sendable {
    // Sendable: `key` never changes after `init`, and leaves this class only for the time of a call that reads it; see
    // `P256PublicKey`. It is freed once, when nobody holds this object.
    //
    // Safe: `key` is not null, is owned by this object alone, and is passed to OpenSSL only while the object lives.
    private let key: OpaquePointer

    /// The SHA-256 of the key's SubjectPublicKeyInfo in DER, 32 bytes: what tells this key from any other.
    public let fingerprint: [UInt8]

    /// Takes the key out of a certificate.
    ///
    /// The user who names the certificate trusts its key: its dates, its names and who signed it are not looked at.
    ///
    /// - Parameter pem: one certificate in PEM (RFC 7468).
    /// - Throws: `CertificateFileError` if there is none or several, it does not parse, or its key is not on P-521.
    public convenience init(certificate pem: [UInt8]) throws(CertificateFileError) {
        let certificates = try PEM.parsed(pem)
        guard certificates.count == 1 else {
            throw CertificateFileError(
                .severalCertificates, "the file holds \(certificates.count) certificates, and one is wanted")
        }
        // Unsafe: the key is the certificate's own; the reference that is counted here is handed to the initializer.
        let key = unsafe certificates[0].withX509 { unsafe X509_get_pubkey($0) }
        try unsafe self.init(owning: key, "the certificate's key")
    }

    /// Imports a key.
    ///
    /// - Parameter der: its SubjectPublicKeyInfo (RFC 5280 §4.1.2.7) in DER, and nothing behind it.
    /// - Throws: `CertificateFileError` if it does not parse, or is not on P-521.
    public convenience init(subjectPublicKeyInfo der: [UInt8]) throws(CertificateFileError) {
        // Unsafe: the array lives while OpenSSL reads its `count` bytes and moves its own copy of the pointer on. The
        // key is handed to the initializer, or freed.
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

    /// Unsafe: takes a null pointer or that of an EVP_PKEY, which it owns from here on, also where it throws.
    @unsafe
    private init(owning key: OpaquePointer?, _ name: String) throws(CertificateFileError) {
        defer { ERR_clear_error() }
        let unreadable = CertificateFileError(.malformed, "\(name) cannot be read")
        guard let key = unsafe key else { throw unreadable }
        let kind = unsafe P521PublicKey.kind(of: key)
        guard kind == P521PublicKey.curve else {
            unsafe EVP_PKEY_free(key)
            throw CertificateFileError(.otherKindOfKey, "\(name) is of the kind \(kind), and one on P-521 is wanted")
        }
        guard unsafe PublicKeyCheck.isOnCurve(key), let info = unsafe P521PublicKey.subjectPublicKeyInfo(of: key) else {
            // A point that is not on the curve is not parsed, so this takes another OpenSSL, or one without memory.
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

    /// OpenSSL's name for the curve of a key, or where there is none for the kind of key.
    ///
    /// Unsafe: takes a pointer to a key.
    @unsafe
    private static func kind(of key: OpaquePointer) -> String {
        var name = [CChar](repeating: 0, count: 80)
        var count = 0
        // Unsafe: OpenSSL writes at most as many characters as the array has, a zero included.
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
        // Unsafe: OpenSSL allocates the buffer, of as many bytes as it returns; it is copied, then freed.
        let count = unsafe i2d_PUBKEY(key, &buffer)
        defer { unsafe CRYPTO_free(buffer, nil, 0) }
        guard count > 0, let start = unsafe buffer else { return nil }
        return unsafe [UInt8](UnsafeBufferPointer(start: start, count: Int(count)))
    }

    // MARK: Verification

    /// Verifies a signature over a message, by ECDSA with SHA-512. Nothing is copied, be the message as long as it may.
    ///
    /// - Parameters:
    ///   - signature: a SEQUENCE of two INTEGERs (RFC 3279 §2.2.3) in DER.
    ///   - message: the bytes that were signed, such as a whole file's.
    /// - Throws: `DetachedSignatureError`, unless OpenSSL verified the signature: `malformed` for what cannot be a
    ///   signature of this key, else `notVerified`.
    public func verify(_ signature: [UInt8], over message: [UInt8]) throws(DetachedSignatureError) {
        guard P521PublicKey.isSignature(signature) else { throw DetachedSignatureError(notASignature: signature) }
        guard isValid(signature, for: message) else { throw .notVerified }
    }

    private func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        // Unsafe: a null pointer, or a context that is freed on every path, and its reference to the key with it.
        guard let context = unsafe EVP_MD_CTX_new() else { return false }
        defer { unsafe EVP_MD_CTX_free(context) }
        // Unsafe: this object keeps the key alive, and the arrays live for the call that reads them.
        let status = withExtendedLifetime(self) {
            guard unsafe EVP_DigestVerifyInit(context, nil, EVP_sha512(), nil, key) == 1 else { return -1 as Int32 }
            return unsafe EVP_DigestVerify(context, signature, signature.count, message, message.count)
        }
        // 0 is a signature that does not verify, anything below is a failure: only 1 will do.
        if status != 1 { ERR_clear_error() }
        return status == 1
    }

    /// Whether the bytes are one ECDSA signature in DER. That OpenSSL says so too is part of the verification.
    private static func isSignature(_ bytes: [UInt8]) -> Bool {
        defer { ERR_clear_error() }
        // Unsafe: the array lives while OpenSSL reads its `count` bytes; what it made of them is freed on every path.
        return unsafe bytes.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            let signature = unsafe d2i_ECDSA_SIG(nil, &next, bytes.count)
            defer { unsafe ECDSA_SIG_free(signature) }
            guard unsafe signature != nil, let start = bytes.baseAddress else { return false }
            return unsafe next == start + bytes.count
        }
    }
}
