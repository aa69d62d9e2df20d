internal import COpenSSL

/// An X.509 certificate (RFC 5280), taken apart. Nothing in it has been verified: it may be expired, forged, or of
/// anybody.
@safe
public final class Certificate: @unchecked Sendable {
    // Sendable: `certificate` never changes after `init`. What OpenSSL caches in an X509, it caches under a lock of the
    // X509's own, and it counts references atomically, so that several threads may read one certificate
    // (openssl-threads(7)). It is freed once, when nobody holds this object.
    //
    // Safe: `certificate` is not null, is owned by this object alone, and is passed to OpenSSL only while the object
    // lives.
    private let certificate: OpaquePointer

    /// How long a certificate may be, in bytes of DER. Real ones have one or two thousand.
    public static let maximumLength = 64 << 10

    /// Reads a certificate.
    ///
    /// - Parameter der: one X.509 certificate in DER, and nothing behind it.
    /// - Throws: `CertificateError`: `tooLarge` beyond `maximumLength`, `malformed` for what is not one certificate.
    public init(der: [UInt8]) throws(CertificateError) {
        guard der.count <= Certificate.maximumLength else {
            throw CertificateError(
                .tooLarge, "a certificate has \(der.count) bytes, more than \(Certificate.maximumLength)")
        }
        defer { ERR_clear_error() }
        // Unsafe: a null pointer or a certificate whose ownership is now ours.
        guard let certificate = unsafe Certificate.parsed(der) else {
            throw CertificateError(.malformed, "the \(der.count) bytes are not one X.509 certificate in DER")
        }
        unsafe self.certificate = certificate
    }

    /// Shares a certificate that OpenSSL holds; nil for none.
    ///
    /// Unsafe: takes a null pointer or that of a live X509, which it does not take from its owner.
    @unsafe
    init?(sharing certificate: OpaquePointer?) {
        // Unsafe: the reference that is counted here is the one that `deinit` gives back.
        guard let certificate = unsafe certificate, unsafe X509_up_ref(certificate) == 1 else { return nil }
        unsafe self.certificate = certificate
    }

    deinit {
        // Unsafe: the only free, of the reference that `init` got.
        unsafe X509_free(certificate)
    }

    /// Parses one certificate in DER. Bytes behind it are nobody's signed words: what holds them is not one certificate.
    ///
    /// Errors are left in OpenSSL's queue.
    ///
    /// - Returns: an X509 that the caller has to free, or nil.
    ///
    /// Unsafe: the result is an owned pointer.
    @unsafe
    static func parsed(_ der: [UInt8]) -> OpaquePointer? {
        // Unsafe: the array lives while OpenSSL reads its `count` bytes and moves its own copy of the pointer on.
        unsafe der.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            let certificate = unsafe d2i_X509(nil, &next, bytes.count)
            guard let start = bytes.baseAddress, unsafe next == start + bytes.count else {
                unsafe X509_free(certificate)
                return nil
            }
            return unsafe certificate
        }
    }

    /// Calls `body` with OpenSSL's certificate, which must not leave it.
    ///
    /// Unsafe: the pointer is valid only inside `body`.
    @unsafe
    func withX509<Result>(_ body: (OpaquePointer) -> Result) -> Result {
        withExtendedLifetime(self) { unsafe body(certificate) }
    }

    // MARK: What it says

    /// Whom the certificate is of, as messages show it: one line by RFC 2253 in quotation marks, cut to a length that
    /// is easily read, with nothing in it that could steer a terminal.
    public var subject: String {
        // Unsafe: the name is the certificate's own and is read while that lives.
        unsafe withX509 { unsafe DistinguishedName.quoted(X509_get_subject_name($0)) }
    }

    /// Who says to have signed the certificate; see `subject`.
    public var issuer: String {
        // Unsafe: as in `subject`.
        unsafe withX509 { unsafe DistinguishedName.quoted(X509_get_issuer_name($0)) }
    }

    /// Whether `other` is the same certificate, byte for byte.
    package func isSame(as other: Certificate) -> Bool {
        // Unsafe: the pointers are those of live objects.
        unsafe withX509 { certificate in unsafe other.withX509 { unsafe X509_cmp(certificate, $0) == 0 } }
    }

    /// Whether `other` is of the subject that this certificate names as its issuer.
    package func namesAsIssuer(_ other: Certificate) -> Bool {
        // Unsafe: the names are the certificates' own and are read while these live.
        unsafe withX509 { certificate in
            unsafe other.withX509 { other in
                unsafe X509_NAME_cmp(X509_get_issuer_name(certificate), X509_get_subject_name(other)) == 0
            }
        }
    }

    /// The first moment at which the certificate is valid, in seconds since 1970; nil if it is no date.
    public var notBefore: Int64? { validFrom?.seconds }

    /// The moment at which the certificate is no longer valid, in seconds since 1970; nil if it is no date.
    public var notAfter: Int64? { validTo?.seconds }

    var validFrom: CertificateDate? {
        // Unsafe: the date is the certificate's own and is read while that lives.
        unsafe withX509 { unsafe CertificateDate(X509_get0_notBefore($0)) }
    }

    var validTo: CertificateDate? {
        // Unsafe: as in `validFrom`.
        unsafe withX509 { unsafe CertificateDate(X509_get0_notAfter($0)) }
    }

    // MARK: Extensions

    /// Whether an extension that path validation depends on cannot be read, or stands there twice. OpenSSL tells, and
    /// then goes on as if it were not there.
    var hasUnreadableExtension: Bool { flags & UInt32(EXFLAG_INVALID | EXFLAG_INVALID_POLICY) != 0 }

    /// Whether basicConstraints says that it is one of a certificate authority (RFC 5280 §4.2.1.9).
    package var isAuthority: Bool { flags & UInt32(EXFLAG_CA) != 0 }

    /// What OpenSSL makes of the extensions.
    private var flags: UInt32 {
        defer { ERR_clear_error() }
        // Unsafe: the pointer is that of a live object.
        return unsafe withX509 { unsafe X509_get_extension_flags($0) }
    }

    /// Whether the key may sign data: there is no keyUsage, or it holds digitalSignature (RFC 5280 §4.2.1.3).
    var maySign: Bool { allows(UInt32(KU_DIGITAL_SIGNATURE)) }

    /// Whether the key may sign certificates: there is no keyUsage, or it holds keyCertSign (RFC 5280 §4.2.1.3).
    var maySignCertificates: Bool { allows(UInt32(KU_KEY_CERT_SIGN)) }

    private func allows(_ usage: UInt32) -> Bool {
        // Unsafe: the pointer is that of a live object. Without the extension all bits are set.
        unsafe withX509 { unsafe X509_get_key_usage($0) } & usage != 0
    }

    /// Whether the certificate limits the names of those below it (RFC 5280 §4.2.1.10).
    var constrainsNames: Bool {
        // Unsafe: the pointer is that of a live object.
        unsafe withX509 { unsafe X509_get_ext_by_NID($0, NID_name_constraints, -1) } >= 0
    }
}
