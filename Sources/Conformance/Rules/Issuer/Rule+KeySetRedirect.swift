import JSON
import SMARTHealthCards

extension Rule {
    /// The key set is where it belongs.
    static let keySetRedirect = Rule(
        "issuer-key-download-error", "redirect", .k4, severity: .warning,
        requirement: "The key set is at <iss>/.well-known/jwks.json itself.",
        remedy:
            "Serve the key set without a redirect: not every verifier follows one, and a browser asks every hop for its CORS header.",
        check: .issuer { subject in
            guard case .success(let response) = subject.answers.keySet.result, let last = response.redirects.last else {
                return []
            }
            return [Problem("the server redirects to \(last.quoted())")]
        })
}
