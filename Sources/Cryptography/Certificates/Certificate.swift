internal import CLibraries
import Encodings
internal import Synchronization

/// A parsed X.509 certificate (RFC 5280). Nothing in it has been verified: it may be expired or forged, and may belong
/// to anyone.
@safe
package final class Certificate: @unchecked Sendable {
    // Sendable: `x509` never changes once it is made, and a lock guards the making. OpenSSL guards its caches inside an
    // X509 with a lock of that X509, and counts references atomically, so several threads may read one certificate
    // (openssl-threads(7)). It is freed once, when the last reference to this object is gone.
    //
    // Safe: what `x509` holds is not null, belongs to this object alone, and is passed to OpenSSL only while the object
    // lives.
    private let x509: Mutex<OpenSSLCertificate?>

    /// The certificate in DER, as it was read.
    package let der: [UInt8]

    /// The fields in `der`. Nil if OpenSSL's parser takes the certificate and ours does not, which needs lengths that
    /// are indefinite (X.690 §8.1.3.6) and thus not DER.
    let fields: CertificateFields?

    /// The longest certificate that is read, in bytes of DER. Real ones have one or two thousand.
    package static let maximumLength = 64 << 10

    /// Reads a certificate.
    ///
    /// - Parameter der: one X.509 certificate in DER, with nothing after it.
    /// - Throws: `CertificateError`: `tooLarge` if it is longer than `maximumLength`, `malformed` if the bytes are not
    ///   one certificate.
    package init(der: [UInt8]) throws(CertificateError) {
        try Certificate.checkLength(of: der)
        defer { ERR_clear_error() }
        // Unsafe: a null pointer or a certificate that this object now owns.
        guard let certificate = unsafe Certificate.parsed(der) else { throw Certificate.malformed(der) }
        self.der = der
        fields = CertificateFields(der)
        unsafe x509 = Mutex(OpenSSLCertificate(certificate))
    }

    /// Reads a certificate of a list that may have hundreds.
    ///
    /// OpenSSL parses it only when one of its signature, its extensions other than extKeyUsage, or its names is asked
    /// for. That takes about 200 µs, and this one or two. If OpenSSL then cannot parse it, the certificate has no names
    /// and no readable key for OpenSSL, and no signature verifies.
    ///
    /// - Parameter der: one X.509 certificate in DER, with nothing after it, of any version and with any serial number.
    /// - Throws: `CertificateError`: `tooLarge` if it is longer than `maximumLength`, `malformed` if the bytes do not
    ///   have the fields of one certificate.
    package init(listed der: [UInt8]) throws(CertificateError) {
        try Certificate.checkLength(of: der)
        guard let fields = CertificateFields(der) else { throw Certificate.malformed(der) }
        self.der = der
        self.fields = fields
        x509 = Mutex(nil)
    }

    private static func checkLength(of der: [UInt8]) throws(CertificateError) {
        guard der.count <= maximumLength else {
            throw CertificateError(.tooLarge, "a certificate has \(der.count) bytes, more than \(maximumLength)")
        }
    }

    private static func malformed(_ der: [UInt8]) -> CertificateError {
        CertificateError(.malformed, "the \(der.count) bytes are not one X.509 certificate in DER")
    }

    /// Shares a certificate that OpenSSL holds. Nil for a null pointer.
    ///
    /// Unsafe: takes a null pointer or that of a live X509, which stays with its owner.
    @unsafe
    init?(sharing certificate: OpaquePointer?) {
        // Unsafe: the reference that is added here is released when `x509` is.
        guard let certificate = unsafe certificate, unsafe X509_up_ref(certificate) == 1 else { return nil }
        der = unsafe Certificate.encoded(certificate)
        fields = CertificateFields(der)
        unsafe x509 = Mutex(OpenSSLCertificate(certificate))
    }

    /// The DER of a certificate. Empty if there is no memory.
    ///
    /// Unsafe: takes a pointer to a live X509.
    @unsafe
    private static func encoded(_ certificate: OpaquePointer) -> [UInt8] {
        defer { ERR_clear_error() }
        var buffer: UnsafeMutablePointer<UInt8>?
        // Unsafe: OpenSSL allocates the buffer, whose length it returns. The buffer is copied, then freed.
        let count = unsafe i2d_X509(certificate, &buffer)
        defer { unsafe CRYPTO_free(buffer, nil, 0) }
        guard count > 0, let start = unsafe buffer else { return [] }
        return unsafe [UInt8](UnsafeBufferPointer(start: start, count: Int(count)))
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
        let certificate = openSSL
        return withExtendedLifetime(certificate) { unsafe body(certificate.pointer) }
    }

    private var openSSL: OpenSSLCertificate {
        x509.withLock { x509 in
            if let x509 { return x509 }
            let made = OpenSSLCertificate(orEmpty: der)
            x509 = made
            return made
        }
    }

    /// Whether OpenSSL can parse the certificate. Only one made by `init(listed:)` may be one that it cannot.
    ///
    /// OpenSSL then has an empty certificate, which `X509_cmp` takes for equal to every other one, and whose names are
    /// equal to other empty names. So this must be asked before certificates are compared.
    package var isReadByOpenSSL: Bool { openSSL.isParsed }

    // MARK: Contents

    /// The subject as messages show it: one line in the form of RFC 2253, in quotation marks, shortened, and safe to
    /// print on a terminal.
    package var subject: String {
        // Unsafe: the name is the certificate's own and is read while that lives.
        unsafe withX509 { unsafe DistinguishedName.quoted(X509_get_subject_name($0)) }
    }

    /// The issuer that the certificate names, in the same form as `subject`.
    package var issuer: String {
        // Unsafe: as in `subject`.
        unsafe withX509 { unsafe DistinguishedName.quoted(X509_get_issuer_name($0)) }
    }

    /// Whether `other` is the same certificate, byte for byte.
    package func isSame(as other: Certificate) -> Bool {
        guard isReadByOpenSSL, other.isReadByOpenSSL else { return der == other.der }
        // Unsafe: the pointers are those of live objects.
        return unsafe withX509 { certificate in unsafe other.withX509 { unsafe X509_cmp(certificate, $0) == 0 } }
    }

    /// Whether the subject of `other` is the issuer that this certificate names.
    package func namesAsIssuer(_ other: Certificate) -> Bool {
        guard isReadByOpenSSL, other.isReadByOpenSSL else { return false }
        // Unsafe: the names belong to the certificates and are read while these live.
        return unsafe withX509 { certificate in
            unsafe other.withX509 { other in
                unsafe X509_NAME_cmp(X509_get_issuer_name(certificate), X509_get_subject_name(other)) == 0
            }
        }
    }

    /// The first moment at which the certificate is valid, in seconds since 1970. Nil if the date cannot be read.
    package var notBefore: Int64? { validFrom?.seconds }

    /// The moment from which the certificate is no longer valid, in seconds since 1970. Nil if the date cannot be read.
    package var notAfter: Int64? { validTo?.seconds }

    var validFrom: CertificateDate? {
        if let fields, let date = CertificateDate(tag: fields.notBefore.tag, fields.notBefore.text) { return date }
        // Unsafe: the date belongs to the certificate and is read while it lives.
        return unsafe withX509 { unsafe CertificateDate(X509_get0_notBefore($0)) }
    }

    var validTo: CertificateDate? {
        if let fields, let date = CertificateDate(tag: fields.notAfter.tag, fields.notAfter.text) { return date }
        // Unsafe: as in `validFrom`.
        return unsafe withX509 { unsafe CertificateDate(X509_get0_notAfter($0)) }
    }

    /// The first 8 bytes of the SHA-256 of the DER. Health certificates name the certificate of their signer by them.
    package var identifier: [UInt8] { Array(SHA256.digest(der).prefix(8)) }

    /// The subject in one line in the form of RFC 2253, without quotation marks around it, shortened to 300 characters.
    /// Characters that could control a terminal or hide text are escaped, so it is safe to print.
    package var plainSubject: String {
        guard let fields else { return DistinguishedName.unreadable }
        return DistinguishedName.plain(fields.subject, upTo: 300)
    }

    /// The subject's country (attribute C), in two upper-case letters.
    ///
    /// Nil if there is none, if it is not exactly two letters A–Z (in either case), or if there are several different
    /// ones. Whether there is such a country is not checked.
    package var subjectCountry: String? { fields.flatMap { CertificateFields.country(in: $0.subject) } }

    /// The different countries of the subject (attributes C), in the certificate's order, and of more than four the first
    /// four.
    ///
    /// Each is in two or three upper-case letters. Anything else is shortened and between quotation marks, so it is safe
    /// to print. Empty if the subject names no country or cannot be read.
    package var subjectCountries: [String] {
        guard let fields else { return [] }
        return CertificateFields.countries(in: fields.subject).map { country in
            switch country {
            case .code(let code): code
            case .other(let bytes): UTF8Text(decoding: bytes).quoted(upTo: 40)
            }
        }
    }

    /// The issuer's country, as `subjectCountry`.
    package var issuerCountry: String? { fields.flatMap { CertificateFields.country(in: $0.issuer) } }

    // MARK: Extensions

    /// What a certificate says about the purposes of its key (RFC 5280 §4.2.1.12).
    package enum ExtendedKeyUsages: Sendable, Equatable {
        /// There is no extension extKeyUsage.
        case any
        /// The purposes, as numbers with dots, in the certificate's order. If there are several such extensions, which RFC 5280
        /// forbids, those of all of them.
        case named([String])
        /// There is such an extension, and it cannot be read.
        case unreadable
    }

    /// The purposes in extKeyUsage.
    package var extendedKeyUsages: ExtendedKeyUsages { fields?.extendedKeyUsages ?? .unreadable }

    /// Whether an extension that path validation needs cannot be read or occurs twice. OpenSSL only sets a flag for
    /// this and ignores the extension.
    var hasUnreadableExtension: Bool {
        !isReadByOpenSSL || flags & UInt32(EXFLAG_INVALID | EXFLAG_INVALID_POLICY) != 0
    }

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
    package var names: [SubjectAlternativeName] {
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
    package func names(_ issuer: String) -> Bool {
        let issuer = Array(issuer.utf8)
        return names.contains(.uri(issuer))
    }
}

/// A name from the Subject Alternative Name (RFC 5280 §4.2.1.6), of the two kinds that could name an issuer.
package enum SubjectAlternativeName: Hashable, Sendable {
    /// A uniformResourceIdentifier, the kind that names an issuer (SHC-K8). The bytes are as in the certificate,
    /// including null bytes.
    case uri([UInt8])
    /// A dNSName. It names a host, not an issuer.
    case dns([UInt8])
}

extension SubjectAlternativeName: CustomStringConvertible {
    /// The kind and the name in quotation marks, shortened and safe to print on a terminal.
    package var description: String {
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
    /// Nothing else is checked: neither dates, nor whether `other` may sign certificates, nor whether the digest is one
    /// that can still be relied on. See `isVouchedFor(by:at:)` for that. Names are equal by RFC 5280 §7.1: whatever the
    /// type of their strings, and whatever the case and the white space of their letters.
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

/// OpenSSL's object for a certificate.
@safe
private final class OpenSSLCertificate: @unchecked Sendable {
    // Sendable and safe: as `Certificate` says. Not null, and belongs to this object alone.
    let pointer: OpaquePointer
    /// Whether the certificate was parsed. If not, it is empty.
    let isParsed: Bool

    /// Unsafe: takes a pointer to a live X509, and one reference to it.
    @unsafe
    init(_ pointer: OpaquePointer) {
        unsafe self.pointer = pointer
        isParsed = true
    }

    /// Parses a certificate. One that OpenSSL cannot parse becomes an empty one.
    init(orEmpty der: [UInt8]) {
        defer { ERR_clear_error() }
        // Unsafe: null pointers or an object that this one now owns.
        let parsed = unsafe Certificate.parsed(der)
        guard let pointer = unsafe parsed ?? X509_new() else {
            preconditionFailure("there is no memory for a certificate")
        }
        unsafe self.pointer = pointer
        isParsed = unsafe parsed != nil
    }

    deinit {
        // Unsafe: the only free, of the reference that `init` got.
        unsafe X509_free(pointer)
    }
}

/// A date in a certificate, exact to the second.
struct CertificateDate: Equatable, Sendable {
    /// In seconds since 1970-01-01T00:00:00Z.
    let seconds: Int64

    /// The date in the form of RFC 3339.
    var text: String {
        let rest = (seconds % 86400 + 86400) % 86400
        let day = CalendarDate(daysSinceEpoch: (seconds - rest) / 86400)
        let padded = { (number: Int64, length: Int) in
            String(repeating: "0", count: max(0, length - String(number).count)) + String(number)
        }
        let date = "\(padded(day.year, 4))-\(padded(day.month, 2))-\(padded(day.day, 2))"
        return "\(date)T\(padded(rest / 3600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2))Z"
    }

    /// Reads a date in one of the two forms that RFC 5280 §4.1.2.5 allows: YYMMDDHHMMSSZ of the years 1950 to 2049, or
    /// YYYYMMDDHHMMSSZ. Nil if the date is none or has another form, which OpenSSL may know.
    init?(tag: UInt8, _ text: ArraySlice<UInt8>) {
        let yearDigits: Int
        switch (tag, text.count) {
        case (DERReader.Tag.utcTime, 13): yearDigits = 2
        case (DERReader.Tag.generalizedTime, 15): yearDigits = 4
        default: return nil
        }
        guard text.last == UInt8(ascii: "Z"), text.dropLast().allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        let number = { (digits: ArraySlice<UInt8>) in digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) } }
        var year = number(text.prefix(yearDigits))
        if yearDigits == 2 { year += year < 50 ? 2000 : 1900 }
        let pair = { (index: Int) in number(text.dropFirst(yearDigits + 2 * index).prefix(2)) }
        let (hour, minute, second) = (pair(2), pair(3), pair(4))
        guard let day = CalendarDate(year: year, month: pair(0), day: pair(1)), hour < 24, minute < 60, second < 60
        else { return nil }
        seconds = ((day.daysSinceEpoch * 24 + hour) * 60 + minute) * 60 + second
    }

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
    }
}
