import JSON
import SMARTHealthCards

extension Rule {
    /// The key set comes with status 200.
    static let keySetStatus = Rule(
        "issuer-key-download-error", "status", .k4,
        requirement: "The server answers with status 200 (OK) and the key set.",
        remedy:
            "Serve the key set as a public file: no login, no bot check, no rate limit that a single request runs into.",
        check: .issuer { subject in
            guard case .success(let response) = subject.answers.keySet.result, response.status != 200 else { return [] }
            return [
                Problem("the server answers with status \(response.status) to \(subject.answers.keySet.url.quoted())")
            ]
        })
}
