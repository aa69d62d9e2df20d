internal import COpenSSL

/// A date in a certificate, exact to the second.
struct CertificateDate: Equatable, Sendable {
    /// In seconds since 1970-01-01T00:00:00Z.
    let seconds: Int64
    /// In the form of RFC 3339.
    let text: String

    /// Reads a date; nil if it is none.
    ///
    /// Unsafe: takes a null pointer or that of a live ASN1_TIME.
    @unsafe
    init?(_ time: UnsafePointer<ASN1_TIME>?) {
        defer { ERR_clear_error() }
        // Unsafe: both are freed on every path, after all that is read from them.
        guard let epoch = unsafe ASN1_TIME_set(nil, 0) else { return nil }
        defer { unsafe ASN1_TIME_free(epoch) }
        guard let date = unsafe ASN1_TIME_to_generalizedtime(time, nil) else { return nil }
        defer { unsafe ASN1_GENERALIZEDTIME_free(date) }

        var days: Int32 = 0
        var rest: Int32 = 0
        guard unsafe ASN1_TIME_diff(&days, &rest, epoch, date) == 1 else { return nil }
        seconds = Int64(days) * 86400 + Int64(rest)

        // OpenSSL wrote this one itself: always YYYYMMDDHHMMSSZ.
        let digits = unsafe [UInt8](asn1: date)
        guard digits.count == 15 else { return nil }
        let part = { (range: Range<Int>) in String(decoding: digits[range], as: UTF8.self) }
        text =
            "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))T\(part(8..<10)):\(part(10..<12)):\(part(12..<14))Z"
    }
}
