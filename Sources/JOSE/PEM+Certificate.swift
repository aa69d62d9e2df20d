extension PEM {
    /// The certificates in a text, parsed; at least one.
    ///
    /// - Throws: `CertificateFileError`, as `certificates(in:)`, and if one does not parse.
    static func parsed(_ text: [UInt8]) throws(CertificateFileError) -> [Certificate] {
        var parsed: [Certificate] = []
        for der in try certificates(in: text) {
            do {
                parsed.append(try Certificate(der: der))
            } catch {
                throw CertificateFileError(.malformed, "\(ordinal(parsed.count)) cannot be used: \(error)")
            }
        }
        return parsed
    }
}
