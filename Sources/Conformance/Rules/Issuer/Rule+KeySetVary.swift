import SMARTHealthCards

extension Rule {
    /// Caches tell origins apart where the server does.
    static let keySetVary = Rule(
        "issuer-key-wellknown-endpoint-cors", "vary", .rfc(9110, "12.5.5"), severity: .warning,
        requirement: "An answer that permits only the origin that asked says so to caches (Vary: Origin).",
        remedy:
            "Send \"Access-Control-Allow-Origin: *\"; or add \"Vary: Origin\", so that no cache hands one origin's answer to another.",
        check: .issuer { subject in
            guard let headers = subject.published?.headers, let allowed = headers["access-control-allow-origin"],
                allowed.utf8.elementsEqual(subject.answers.origin.utf8)
            else { return [] }
            let names = (headers["vary"] ?? "").split(separator: ",").map { field in
                String(field.filter { $0 != " " && $0 != "\t" }).lowercased()
            }
            guard !names.contains("origin"), !names.contains("*") else { return [] }
            return [
                Problem("Access-Control-Allow-Origin repeats the origin of the request, and Vary does not name Origin")
            ]
        })
}
