internal import COpenSSL
import JSON

/// The names of subjects and issuers (RFC 5280 §4.1.2.4), for people to read.
enum DistinguishedName {
    /// How many characters are shown.
    static let shownLength = 128

    /// The name in one line by RFC 2253, the most specific part first, in quotation marks.
    ///
    /// The maker of the certificate chose the name. Quotation marks and separators inside are escaped as the RFC has it,
    /// and so is every character that could steer a terminal or hide what stands beside it. Letters of any script
    /// are left as they are.
    ///
    /// Unsafe: takes a null pointer or that of a live X509_NAME.
    @unsafe
    static func quoted(_ name: OpaquePointer?) -> String {
        defer { ERR_clear_error() }
        let escapes = UInt(ASN1_STRFLGS_ESC_2253 | ASN1_STRFLGS_ESC_CTRL | ASN1_STRFLGS_DUMP_UNKNOWN)
        let layout =
            UInt(ASN1_STRFLGS_DUMP_DER | XN_FLAG_SEP_COMMA_PLUS | XN_FLAG_DN_REV) | UInt(XN_FLAG_DUMP_UNKNOWN_FIELDS)
        // A string that is not of the type that it says is shown byte by byte.
        let text =
            unsafe printed(name, flags: escapes | layout | UInt(ASN1_STRFLGS_UTF8_CONVERT))
            ?? printed(name, flags: escapes | layout | UInt(ASN1_STRFLGS_ESC_MSB))
        guard let text else { return "(a name that cannot be read)" }
        guard !text.isEmpty else { return "(no name)" }
        return #"""# + escaped(text) + #"""#
    }

    /// What OpenSSL makes of a name, cut to somewhat more than is shown; nil if it cannot.
    ///
    /// Unsafe: as `quoted`.
    @unsafe
    private static func printed(_ name: OpaquePointer?, flags: UInt) -> String? {
        // Unsafe: freed on every path, after what was written to it has been read.
        guard let name = unsafe name, let memory = unsafe BIO_new(BIO_s_mem()) else { return nil }
        defer { unsafe BIO_free(memory) }
        guard unsafe X509_NAME_print_ex(memory, name, 0, flags) >= 0 else { return nil }
        // Four bytes is the most that a character takes.
        var bytes = [UInt8](repeating: 0, count: 4 * (shownLength + 1))
        // Unsafe: OpenSSL writes at most as many bytes as the array has.
        let count = unsafe BIO_read(memory, &bytes, Int32(bytes.count))
        return String(decoding: bytes.prefix(max(0, Int(count))), as: UTF8.self)
    }

    /// Escapes what RFC 2253 lets stand and a terminal should not see, in the RFC's own way: byte by byte.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for (count, scalar) in text.unicodeScalars.enumerated() {
            if count == shownLength { return escaped + "…" }
            if scalar.isUnprintable {
                for byte in String(scalar).utf8 {
                    escaped += #"\"# + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
                }
            } else {
                escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
