import TestSupport

/// The server of these tests. All share one, which ends with the process.
enum TestIssuers {
    /// The path of its key set.
    static let keys = "/issuer/.well-known/jwks.json"
    /// The content of its key set.
    static let keySet = #"{"keys":[{"kty":"EC","kid":"a"}]}"#

    private static let started = Result {
        let issuer = try TestIssuer()
        try issuer.serve(keySet, at: keys)
        try issuer.serve(
            keySet, at: "/cached\(keys)",
            headers: [
                "Cache-Control": "max-age=60", "Last-Modified": "Sat, 21 Nov 2026 06:00:00 GMT", "X-Other": "x",
            ])
        return issuer
    }

    static func shared() throws -> TestIssuer { try started.get() }
}
