import SMARTHealthCards

extension Rule {
    static let tlsCertificate = Rule(
        "issuer-tls-error", "certificate", .k4,
        requirement:
            "The server's certificate is of a public authority, valid at the moment and for the host, and comes "
            + "with the certificates between it and the root.",
        remedy: "Have the certificate renewed, and let the server send the whole chain.",
        check: .issuer { subject in
            guard let failure = subject.failure, failure.kind == .certificate else { return [] }
            return [Problem("the server's certificate is refused: \(failure.message)")]
        })
}
