internal import CLibraries
import Encodings

/// Formats the names of subjects and issuers (RFC 5280 §4.1.2.4) for people.
enum DistinguishedName {
    /// The number of characters that are shown.
    static let shownLength = 128

    /// What is shown of a name that cannot be read.
    static let unreadable = "(a name that cannot be read)"

    /// The name in one line in the form of RFC 2253, with the most specific part first, in quotation marks.
    ///
    /// The maker of the certificate chose the name. Quotation marks and separators inside the name are escaped as in
    /// the RFC. So are characters that could control a terminal or hide the text next to them. Letters of all scripts
    /// are kept.
    ///
    /// Unsafe: takes a null pointer or that of a live X509_NAME.
    @unsafe
    static func quoted(_ name: OpaquePointer?) -> String {
        guard let text = unsafe plain(name, upTo: shownLength) else { return unreadable }
        return text.isEmpty ? noName : #"""# + text + #"""#
    }

    /// The name in the same form without quotation marks around it.
    ///
    /// - Parameters:
    ///   - der: a Name (RFC 5280 §4.1.2.4) in DER.
    ///   - length: the number of characters that are shown.
    static func plain(_ der: ArraySlice<UInt8>, upTo length: Int) -> String {
        defer { ERR_clear_error() }
        // Unsafe: the bytes live while OpenSSL reads `count` of them and advances its own copy of the pointer. The name
        // is freed on every path.
        let text: String? = unsafe der.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            let name = unsafe d2i_X509_NAME(nil, &next, bytes.count)
            defer { unsafe X509_NAME_free(name) }
            return unsafe plain(name, upTo: length)
        }
        guard let text else { return unreadable }
        return text.isEmpty ? noName : text
    }

    private static let noName = "(no name)"

    /// Unsafe: as `quoted`.
    @unsafe
    private static func plain(_ name: OpaquePointer?, upTo length: Int) -> String? {
        defer { ERR_clear_error() }
        let escapes = UInt(ASN1_STRFLGS_ESC_2253 | ASN1_STRFLGS_ESC_CTRL | ASN1_STRFLGS_DUMP_UNKNOWN)
        let layout =
            UInt(ASN1_STRFLGS_DUMP_DER | XN_FLAG_SEP_COMMA_PLUS | XN_FLAG_DN_REV) | UInt(XN_FLAG_DUMP_UNKNOWN_FIELDS)
        // If a string is not of the type that it claims, its bytes are shown in hexadecimal.
        let text =
            unsafe printed(name, flags: escapes | layout | UInt(ASN1_STRFLGS_UTF8_CONVERT), upTo: length)
            ?? printed(name, flags: escapes | layout | UInt(ASN1_STRFLGS_ESC_MSB), upTo: length)
        return text.map { escaped($0, upTo: length) }
    }

    /// OpenSSL's text for a name, slightly longer than what is shown. Nil if OpenSSL fails.
    ///
    /// Unsafe: as `quoted`.
    @unsafe
    private static func printed(_ name: OpaquePointer?, flags: UInt, upTo length: Int) -> String? {
        // Unsafe: freed on every path, after its content has been read.
        guard let name = unsafe name, let memory = unsafe BIO_new(BIO_s_mem()) else { return nil }
        defer { unsafe BIO_free(memory) }
        guard unsafe X509_NAME_print_ex(memory, name, 0, flags) >= 0 else { return nil }
        // A character has at most four bytes.
        var bytes = [UInt8](repeating: 0, count: 4 * (length + 1))
        // Unsafe: OpenSSL writes at most as many bytes as the array has.
        let count = unsafe BIO_read(memory, &bytes, Int32(bytes.count))
        return String(decoding: bytes.prefix(max(0, Int(count))), as: UTF8.self)
    }

    /// Escapes characters that RFC 2253 allows but a terminal should not get. The form is the RFC's: byte by byte.
    private static func escaped(_ text: String, upTo length: Int) -> String {
        var escaped = ""
        for (count, scalar) in text.unicodeScalars.enumerated() {
            if count == length { return escaped + "…" }
            if scalar.isUnprintable {
                for byte in String(scalar).utf8 { escaped += #"\"# + byte.twoHexDigits }
            } else {
                escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

extension [UInt8] {
    /// The bytes of an ASN.1 string, including null bytes. Empty if there is no string.
    ///
    /// Unsafe: takes a null pointer or that of a live ASN1_STRING.
    @unsafe
    init(asn1 string: UnsafePointer<ASN1_STRING>?) {
        // Unsafe: the data belongs to the string, has that length, and is copied here.
        guard let string = unsafe string, let data = unsafe ASN1_STRING_get0_data(string) else {
            // OpenSSL's parser always sets the string, so this is never reached.
            self = []
            return
        }
        unsafe self.init(UnsafeBufferPointer(start: data, count: Int(ASN1_STRING_length(string))))
    }
}
