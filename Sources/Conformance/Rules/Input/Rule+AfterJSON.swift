import JSON

extension Rule {
    static let afterJSON = Rule(
        "trailing-characters", "after-json", .rfc(8259, "2"),
        requirement: "Nothing follows the JSON value.",
        remedy: "Remove what stands behind the last bracket.",
        check: .input { input in
            guard let error = input.jsonError, error.reason == .trailingBytes else { return [] }
            return [Problem("\(error)", offset: input.content.lowerBound + error.offset)]
        })
}
