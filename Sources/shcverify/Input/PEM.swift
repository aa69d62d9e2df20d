/// Text-encoded certificates (RFC 7468).
enum PEM {
    /// Whether the bytes hold a certificate's encapsulation boundaries. What is between them is judged by whoever uses
    /// it.
    static func holdsCertificate(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        return ["", "X509 ", "TRUSTED "].contains { kind in
            text.contains("-----BEGIN \(kind)CERTIFICATE-----") && text.contains("-----END \(kind)CERTIFICATE-----")
        }
    }
}
