import SMARTHealthCards

extension Rule {
    /// The server says how long the key set may be kept.
    static let keySetCaching = Rule(
        "issuer-response-error", "caching", .rfc(9111, "4.2"), severity: .warning,
        requirement: "The key set says for how long it may be kept, or how to ask whether it has changed.",
        remedy: "Send Cache-Control with a max-age of an hour or so, and an ETag or Last-Modified.",
        check: .issuer { subject in
            guard let headers = subject.published?.headers else { return [] }
            let names = ["cache-control", "expires", "etag", "last-modified"]
            guard names.allSatisfy({ headers[$0] == nil }) else { return [] }
            return [
                Problem(
                    "the key set has no Cache-Control, Expires, ETag or Last-Modified: how long it is kept is each verifier's "
                        + "guess"
                )
            ]
        })
}
