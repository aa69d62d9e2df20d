import Foundation
import TestSupport

/// The server of these tests: one for all of them, which ends with the process.
enum TestIssuers {
    /// The path of its key set.
    static let keys = "/issuer/.well-known/jwks.json"
    /// The content of its key set.
    static let keySet = #"{"keys":[{"kty":"EC","kid":"a"}]}"#

    private static let started = Result {
        let directory = try TemporaryDirectory()
        try directory.write(keySet, to: "issuer/.well-known/jwks.json")
        try directory.write(keySet, to: "cached/.well-known/jwks.json")
        try directory.write(
            #"{"Cache-Control":"max-age=60","Last-Modified":"Sat, 21 Nov 2026 06:00:00 GMT","X-Other":"x"}"#,
            to: "cached/.well-known/jwks.json.headers.json")
        return (directory, try TestIssuer(serving: directory.url))
    }

    static func shared() throws -> TestIssuer { try started.get().1 }
}
