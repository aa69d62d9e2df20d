import SMARTHealthCards

extension Rule {
    /// The server does not speak versions of TLS that are broken.
    static let tlsLegacy = Rule(
        "issuer-tls-error", "legacy", .rfc(9325, "3.1.1"),
        requirement: "A server does not negotiate TLS 1.0 or 1.1 (BCP 195).",
        remedy: "Switch TLS 1.0 and 1.1 off.",
        check: .issuer { subject in
            guard subject.answers.tls.legacy == .accepted else { return [] }
            return [Problem("the server accepts TLS 1.1 or 1.0 from a client that offers nothing later")]
        })
}
