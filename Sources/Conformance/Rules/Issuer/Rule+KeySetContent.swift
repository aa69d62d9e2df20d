import SMARTHealthCards

extension Rule {
    /// What comes is a JSON object.
    static let keySetContent = Rule(
        "issuer-key-download-error", "content", .k4,
        requirement: "What the server answers with is the key set: a JSON object, and nothing else.",
        remedy:
            "Serve the key set itself at this address, as JSON in UTF-8; a page of the web application is often there instead.",
        check: .issuer { subject in
            subject.keySetProblem.map {
                [Problem("the server answers with status 200 and \($0) in place of a key set")]
            } ?? []
        })
}
