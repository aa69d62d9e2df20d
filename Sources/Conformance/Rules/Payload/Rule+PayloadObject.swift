import JSON

extension Rule {
    static let payloadObject = Rule(
        "schema-error", "payload-object", .p1,
        requirement: "The payload is a JSON object.",
        remedy: "Sign an object with \"iss\", \"nbf\" and \"vc\".",
        check: .payload { payload in
            guard let value = payload.value, value.kind != .object else { return [] }
            return [Problem("the payload is of type \(value.kind.rawValue)", at: value)]
        })
}
