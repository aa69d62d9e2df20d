/// Certificates as text (RFC 7468).
enum PEM {
    /// Takes out the certificates, in DER.
    ///
    /// Other text is passed over: what stands between the certificates, and what a file holds beside them, such as keys.
    ///
    /// - Returns: at least one.
    /// - Throws: `CertificateFileError`: `noCertificate`, or `malformed` if one does not end, is not base64, or is
    ///   of OpenSSL's own kind with trust settings, which nothing here would heed.
    static func certificates(in text: [UInt8]) throws(CertificateFileError) -> [[UInt8]] {
        var certificates: [[UInt8]] = []
        var holdsOthers = false
        var block: (kind: ArraySlice<UInt8>, base64: [UInt8])?
        // A byte-order mark may stand before the first line.
        let text = text.starts(with: [0xEF, 0xBB, 0xBF]) ? text.dropFirst(3) : text[...]
        for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let line = line.filter { $0 != 0x20 && $0 != 0x09 }[...]
            if let kind = kind(of: line, begin) {
                guard block == nil else { throw unfinished(certificates.count) }
                block = (kind, [])
            } else if let begun = block, let kind = kind(of: line, end) {
                guard kind == begun.kind else { throw unfinished(certificates.count) }
                block = nil
                if plainKinds.contains(where: kind.elementsEqual) {
                    certificates.append(try decoded(begun.base64, certificates.count))
                } else if kind.elementsEqual("TRUSTEDCERTIFICATE".utf8) {
                    throw CertificateFileError(
                        .malformed,
                        "\(ordinal(certificates.count)) is a TRUSTED CERTIFICATE, whose settings are OpenSSL's own; "
                            + "openssl x509 turns it into a plain one")
                } else {
                    holdsOthers = true
                }
            } else {
                block?.base64.append(contentsOf: line)
            }
        }
        guard block == nil else { throw unfinished(certificates.count) }
        guard !certificates.isEmpty else { throw nothingFound(in: text, holdsOthers: holdsOthers) }
        return certificates
    }

    // Without white space, as lines are compared.
    private static let begin = "-----BEGIN".utf8
    private static let end = "-----END".utf8
    private static let dashes = "-----".utf8
    private static let plainKinds = ["CERTIFICATE".utf8, "X509CERTIFICATE".utf8]

    /// What kind of thing a line begins or ends; nil if it does neither.
    private static func kind(of line: ArraySlice<UInt8>, _ boundary: String.UTF8View) -> ArraySlice<UInt8>? {
        guard line.starts(with: boundary), line.count >= boundary.count + dashes.count,
            line.suffix(dashes.count).elementsEqual(dashes)
        else { return nil }
        return line.dropFirst(boundary.count).dropLast(dashes.count)
    }

    private static func decoded(_ base64: [UInt8], _ index: Int) throws(CertificateFileError) -> [UInt8] {
        do {
            return try Base64.decode(base64)
        } catch {
            throw CertificateFileError(.malformed, "\(ordinal(index)) is not base64: \(error)")
        }
    }

    private static func unfinished(_ count: Int) -> CertificateFileError {
        CertificateFileError(
            .malformed,
            "after \(count) whole certificates the file has a line -----BEGIN without an -----END of its kind")
    }

    private static func nothingFound(in text: ArraySlice<UInt8>, holdsOthers: Bool) -> CertificateFileError {
        let words =
            if holdsOthers {
                "the file holds keys or other things in PEM, and no certificate"
            } else if text.first == 0x30, text.contains(0) {
                "the file is not PEM; it looks like DER, which openssl x509 -inform DER turns into PEM"
            } else {
                "the file is not PEM: it has no line -----BEGIN CERTIFICATE-----"
            }
        return CertificateFileError(.noCertificate, words)
    }

    static func ordinal(_ index: Int) -> String { "certificate \(index + 1) of the file" }
}
