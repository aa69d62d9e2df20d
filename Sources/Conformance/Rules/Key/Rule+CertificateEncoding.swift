extension Rule {
    /// The one place in JOSE where base64 is not base64url.
    static let certificateEncoding = Rule(
        "invalid-key-x5c", "encoding", .rfc(7517, "4.7"),
        requirement: "\"x5c\" is an array of X.509 certificates, each DER in base64 (not base64url), the key\'s first.",
        remedy: "Take what stands between BEGIN and END of each PEM, without its line breaks, as one string.",
        check: .key { key in key.chain?.problem.map { [$0] } ?? [] })
}
