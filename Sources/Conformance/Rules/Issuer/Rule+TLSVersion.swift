import SMARTHealthCards

extension Rule {
    /// The server speaks a version of TLS that is in use.
    static let tlsVersion = Rule(
        "issuer-tls-error", "version", .k4,
        requirement: "The key set is served over TLS 1.2, configured by BCP 195, or TLS 1.3.",
        remedy: "Configure the server for TLS 1.2 and 1.3, with the cipher suites that RFC 9325 recommends.",
        check: .issuer { subject in
            let tls = subject.answers.tls
            guard tls.version13 == .refused, tls.version12 == .refused else { return [] }
            let other = tls.legacy == .accepted ? "; it accepts TLS 1.1 or 1.0" : ""
            return [Problem("the server accepts neither TLS 1.2 nor TLS 1.3\(other)")]
        })
}
