internal import COpenSSL
import JSON

/// A parsed X.509 certificate (RFC 5280). Nothing in it has been verified: it may be expired or forged, and may belong
/// to anyone.
@safe
public final class Certificate: @unchecked Sendable {
    // Sendable: `certificate` never changes after `init`. OpenSSL guards its caches inside an X509 with a lock of that
    // X509, and counts references atomically, so several threads may read one certificate (openssl-threads(7)). It is
    // freed once, when the last reference to this object is gone.
    //
    // Safe: `certificate` is not null, belongs to this object alone, and is passed to OpenSSL only while the object
    // lives.
    private let certificate: OpaquePointer

    /// The longest certificate that is read, in bytes of DER. Real ones have one or two thousand.
    public static let maximumLength = 64 << 10

    /// Reads a certificate.
    ///
    /// - Parameter der: one X.509 certificate in DER, with nothing after it.
    /// - Throws: `CertificateError`: `tooLarge` if it is longer than `maximumLength`, `malformed` if the bytes are not
    ///   one certificate.
    public init(der: [UInt8]) throws(CertificateError) {
        guard der.count <= Certificate.maximumLength else {
            throw CertificateError(
                .tooLarge, "a certificate has \(der.count) bytes, more than \(Certificate.maximumLength)")
        }
        defer { ERR_clear_error() }
        // Unsafe: a null pointer or a certificate that this object now owns.
        guard let certificate = unsafe Certificate.parsed(der) else {
            throw CertificateError(.malformed, "the \(der.count) bytes are not one X.509 certificate in DER")
        }
        unsafe self.certificate = certificate
    }

    /// Shares a certificate that OpenSSL holds. Nil for a null pointer.
    ///
    /// Unsafe: takes a null pointer or that of a live X509, which stays with its owner.
    @unsafe
    init?(sharing certificate: OpaquePointer?) {
        // Unsafe: the reference that is added here is released by `deinit`.
        guard let certificate = unsafe certificate, unsafe X509_up_ref(certificate) == 1 else { return nil }
        unsafe self.certificate = certificate
    }

    deinit {
        // Unsafe: the only free, of the reference that `init` got.
        unsafe X509_free(certificate)
    }

    /// Parses one certificate in DER. Bytes after the certificate are not signed, so they make the data malformed.
    ///
    /// Errors are left in OpenSSL's queue.
    ///
    /// - Returns: an X509 that the caller has to free, or nil.
    ///
    /// Unsafe: the result is an owned pointer.
    @unsafe
    static func parsed(_ der: [UInt8]) -> OpaquePointer? {
        // Unsafe: the array lives while OpenSSL reads its `count` bytes and advances its own copy of the pointer.
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

    /// Calls `body` with OpenSSL's certificate, which must not escape.
    ///
    /// Unsafe: the pointer is valid only inside `body`.
    @unsafe
    func withX509<Result>(_ body: (OpaquePointer) -> Result) -> Result {
        withExtendedLifetime(self) { unsafe body(certificate) }
    }

    // MARK: Contents

    /// The subject as messages show it: one line in the form of RFC 2253, in quotation marks, shortened, and safe to
    /// print on a terminal.
    public var subject: String {
        // Unsafe: the name is the certificate's own and is read while that lives.
        unsafe withX509 { unsafe DistinguishedName.quoted(X509_get_subject_name($0)) }
    }

    /// The issuer that the certificate names, in the same form as `subject`.
    public var issuer: String {
        // Unsafe: as in `subject`.
        unsafe withX509 { unsafe DistinguishedName.quoted(X509_get_issuer_name($0)) }
    }

    /// Whether `other` is the same certificate, byte for byte.
    package func isSame(as other: Certificate) -> Bool {
        // Unsafe: the pointers are those of live objects.
        unsafe withX509 { certificate in unsafe other.withX509 { unsafe X509_cmp(certificate, $0) == 0 } }
    }

    /// Whether the subject of `other` is the issuer that this certificate names.
    package func namesAsIssuer(_ other: Certificate) -> Bool {
        // Unsafe: the names belong to the certificates and are read while these live.
        unsafe withX509 { certificate in
            unsafe other.withX509 { other in
                unsafe X509_NAME_cmp(X509_get_issuer_name(certificate), X509_get_subject_name(other)) == 0
            }
        }
    }

    /// The first moment at which the certificate is valid, in seconds since 1970. Nil if the date cannot be read.
    public var notBefore: Int64? { validFrom?.seconds }

    /// The moment from which the certificate is no longer valid, in seconds since 1970. Nil if the date cannot be read.
    public var notAfter: Int64? { validTo?.seconds }

    var validFrom: CertificateDate? {
        // Unsafe: the date belongs to the certificate and is read while it lives.
        unsafe withX509 { unsafe CertificateDate(X509_get0_notBefore($0)) }
    }

    var validTo: CertificateDate? {
        // Unsafe: as in `validFrom`.
        unsafe withX509 { unsafe CertificateDate(X509_get0_notAfter($0)) }
    }

    // MARK: Extensions

    /// Whether an extension that path validation needs cannot be read or occurs twice. OpenSSL only sets a flag for
    /// this and ignores the extension.
    var hasUnreadableExtension: Bool { flags & UInt32(EXFLAG_INVALID | EXFLAG_INVALID_POLICY) != 0 }

    /// Whether basicConstraints says that this is the certificate of a certificate authority (RFC 5280 §4.2.1.9).
    package var isAuthority: Bool { flags & UInt32(EXFLAG_CA) != 0 }

    /// The flags that OpenSSL derives from the extensions.
    private var flags: UInt32 {
        defer { ERR_clear_error() }
        // Unsafe: the pointer is that of a live object.
        return unsafe withX509 { unsafe X509_get_extension_flags($0) }
    }

    /// Whether the key may sign data: there is no keyUsage, or it contains digitalSignature (RFC 5280 §4.2.1.3).
    var maySign: Bool { allows(UInt32(KU_DIGITAL_SIGNATURE)) }

    /// Whether the key may sign certificates: there is no keyUsage, or it contains keyCertSign (RFC 5280 §4.2.1.3).
    var maySignCertificates: Bool { allows(UInt32(KU_KEY_CERT_SIGN)) }

    private func allows(_ usage: UInt32) -> Bool {
        // Unsafe: the pointer is that of a live object. Without the extension all bits are set.
        unsafe withX509 { unsafe X509_get_key_usage($0) } & usage != 0
    }

    /// Whether the certificate limits the names in certificates below it (RFC 5280 §4.2.1.10).
    var constrainsNames: Bool {
        // Unsafe: the pointer is that of a live object.
        unsafe withX509 { unsafe X509_get_ext_by_NID($0, NID_name_constraints, -1) } >= 0
    }
}

extension Certificate {
    /// The URIs and DNS names of the Subject Alternative Name, in the certificate's order.
    ///
    /// Empty if there is no such extension or it cannot be read.
    public var names: [SubjectAlternativeName] {
        defer { ERR_clear_error() }
        // Unsafe: a null pointer, or a list of names that is freed here. With neither a critical flag nor an index
        // asked for, OpenSSL returns null if the extension occurs twice.
        let list = unsafe withX509 { unsafe X509_get_ext_d2i($0, NID_subject_alt_name, nil, nil) }
        guard let list = unsafe list.map({ OpaquePointer($0) }) else { return [] }
        defer { unsafe GENERAL_NAMES_free(list) }
        // Unsafe: the list holds GENERAL_NAMEs, which belong to it and are read while it lives.
        return unsafe (0..<OPENSSL_sk_num(list)).compactMap { index in
            guard let element = unsafe OPENSSL_sk_value(list, index) else { return nil }
            var kind: Int32 = 0
            let value = unsafe GENERAL_NAME_get0_value(element.assumingMemoryBound(to: GENERAL_NAME.self), &kind)
            switch kind {
            // Unsafe: names of these two kinds are IA5Strings.
            case GEN_URI: return unsafe .uri([UInt8](asn1: value?.assumingMemoryBound(to: ASN1_STRING.self)))
            case GEN_DNS: return unsafe .dns([UInt8](asn1: value?.assumingMemoryBound(to: ASN1_STRING.self)))
            default: return nil
            }
        }
    }

    /// Whether a URI of the Subject Alternative Name equals this text, byte for byte (SHC-K8).
    public func names(_ issuer: String) -> Bool {
        let issuer = Array(issuer.utf8)
        return names.contains(.uri(issuer))
    }
}

/// A name from the Subject Alternative Name (RFC 5280 §4.2.1.6), of the two kinds that could name an issuer.
public enum SubjectAlternativeName: Hashable, Sendable {
    /// A uniformResourceIdentifier, the kind that names an issuer (SHC-K8). The bytes are as in the certificate,
    /// including null bytes.
    case uri([UInt8])
    /// A dNSName. It names a host, not an issuer.
    case dns([UInt8])
}

extension SubjectAlternativeName: CustomStringConvertible {
    /// The kind and the name in quotation marks, shortened and safe to print on a terminal.
    public var description: String {
        switch self {
        case .uri(let bytes): "the URI \(Self.quoted(bytes))"
        case .dns(let bytes): "the host \(Self.quoted(bytes))"
        }
    }

    private static func quoted(_ bytes: [UInt8]) -> String {
        // A character has at most four bytes. Longer names are cut before decoding.
        String(decoding: bytes.prefix(4 * shownLength + 4), as: UTF8.self).quoted(upTo: shownLength)
    }

    private static let shownLength = 200
}

extension Certificate {
    /// Whether the certificate names `other` as its issuer and its signature verifies with the key of `other`.
    ///
    /// Nothing else is checked: neither dates nor whether `other` may sign certificates.
    package func isSigned(by other: Certificate) -> Bool {
        guard namesAsIssuer(other) else { return false }
        defer { ERR_clear_error() }
        // Unsafe: the pointers are those of live objects. The key belongs to the certificate and is used only while it
        // lives.
        return unsafe withX509 { certificate in
            unsafe other.withX509 { other in
                guard let key = unsafe X509_get0_pubkey(other) else { return false }
                return unsafe X509_verify(certificate, key) == 1
            }
        }
    }
}

extension Certificate {
    /// The first moment of its validity and the first moment after it, in seconds since 1970.
    package var dates: [Int64] { [notBefore, notAfter].compactMap(\.self) }
}

extension CertificateAnchors {
    /// The dates of all anchors, in seconds since 1970.
    package var dates: [Int64] { certificates.flatMap(\.dates) }
}

/// A date in a certificate, exact to the second.
struct CertificateDate: Equatable, Sendable {
    /// In seconds since 1970-01-01T00:00:00Z.
    let seconds: Int64
    /// The date in the form of RFC 3339.
    let text: String

    /// Reads a date. Nil if it is not a date.
    ///
    /// Unsafe: takes a null pointer or that of a live ASN1_TIME.
    @unsafe
    init?(_ time: UnsafePointer<ASN1_TIME>?) {
        defer { ERR_clear_error() }
        // Unsafe: both are freed on every path, after they have been read.
        guard let epoch = unsafe ASN1_TIME_set(nil, 0) else { return nil }
        defer { unsafe ASN1_TIME_free(epoch) }
        guard let date = unsafe ASN1_TIME_to_generalizedtime(time, nil) else { return nil }
        defer { unsafe ASN1_GENERALIZEDTIME_free(date) }

        var days: Int32 = 0
        var rest: Int32 = 0
        guard unsafe ASN1_TIME_diff(&days, &rest, epoch, date) == 1 else { return nil }
        seconds = Int64(days) * 86400 + Int64(rest)

        // OpenSSL wrote this text, always as YYYYMMDDHHMMSSZ.
        let digits = unsafe [UInt8](asn1: date)
        guard digits.count == 15 else { return nil }
        let part = { (range: Range<Int>) in String(decoding: digits[range], as: UTF8.self) }
        text =
            "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))T\(part(8..<10)):\(part(10..<12)):\(part(12..<14))Z"
    }
}
