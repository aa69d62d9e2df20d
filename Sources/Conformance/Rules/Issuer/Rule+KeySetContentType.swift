import JSON
import SMARTHealthCards

extension Rule {
    /// The key set says that it is JSON.
    static let keySetContentType = Rule(
        "issuer-response-error", "content-type", .rfc(9110, "8.3"), severity: .warning,
        requirement: "The key set comes with the content type application/json or application/jwk-set+json.",
        remedy: "Have the server send \"Content-Type: application/json\" with the key set.",
        check: .issuer { subject in
            guard let headers = subject.published?.headers else { return [] }
            guard let field = headers["content-type"] else { return [Problem("the key set has no Content-Type")] }
            let type = field.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
            guard type != "application/json", type != "application/jwk-set+json" else { return [] }
            return [Problem("the Content-Type of the key set is \(field.quoted(upTo: 100))")]
        })
}
