import JSON

extension Rule {
    static let payloadJSON = Rule(
        "json-parse-error", "payload", .rfc(8259, "2"),
        requirement: "The payload is JSON in which no member occurs twice and every string is valid Unicode.",
        remedy: "Mend the JSON at the place that is named, before it is compressed and signed.",
        check: .payload { payload in
            guard case .failure(let error) = payload.json, !payload.hasByteOrderMark else { return [] }
            return [Problem("the payload is not acceptable JSON: \(error)", offset: error.offset)]
        })
}
