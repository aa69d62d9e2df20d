import JSON

extension Rule {
    static let inputJSON = Rule(
        "json-parse-error", "input", .rfc(8259, "2"),
        requirement: "JSON follows RFC 8259, and what two parsers could read differently (RFC 7493), such as a member "
            + "that occurs twice, is left out.",
        remedy: "Mend the JSON at the place that is named.",
        check: .input { input in
            guard let error = input.jsonError, error.reason != .trailingBytes else { return [] }
            return [Problem("\(error)", offset: input.content.lowerBound + error.offset)]
        })
}
