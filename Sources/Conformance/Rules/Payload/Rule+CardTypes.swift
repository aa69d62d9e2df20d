import JSON

extension Rule {
    static let cardTypes = Rule(
        "schema-error", "vc-type", .p1,
        requirement: "\"vc\" has a \"type\", an array.",
        remedy: "Write \"type\": [\"https://smarthealth.cards#health-card\"].",
        check: .payload { payload in
            guard let credential = payload.value?["vc"], credential.kind == .object else { return [] }
            guard let types = credential["type"] else {
                return [Problem("there is no such member", at: credential, member: "type")]
            }
            return types.kind == .array
                ? [] : [Problem("this is of type \(types.kind.rawValue), not an array", at: types)]
        })
}
