import JSON

extension Rule {
    static let headerJSON = Rule(
        "jws-header-error", "json", .rfc(7515, "4"),
        requirement: "The header is JSON in which no member occurs twice.",
        remedy: "Write the header as {\"zip\":\"DEF\",\"alg\":\"ES256\",\"kid\":\"…\"}.",
        check: .header { header in
            guard case .failure(let error) = header.json else { return [] }
            return [Problem("the header is not acceptable JSON: \(error)", offset: error.offset)]
        })
}
