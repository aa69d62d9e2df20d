import JSON

extension Rule {
    static let headerObject = Rule(
        "jws-header-error", "object", .rfc(7515, "4"),
        requirement: "The header is a JSON object.",
        remedy: "Write the header as {\"zip\":\"DEF\",\"alg\":\"ES256\",\"kid\":\"…\"}.",
        check: .header { header in
            guard let value = header.value, value.kind != .object else { return [] }
            return [Problem("the header is of type \(value.kind.rawValue)", at: value)]
        })
}
