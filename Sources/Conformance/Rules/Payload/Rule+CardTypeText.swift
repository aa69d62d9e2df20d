import JSON

extension Rule {
    static let cardTypeText = Rule(
        "schema-error", "vc-type-text", .p1,
        requirement: "Each element of \"vc.type\" is a string.",
        remedy: "Write the types as strings.",
        check: .payload { payload in
            (payload.value?["vc"]?["type"]?.elements.map { Array($0) } ?? []).compactMap { type in
                type.kind == .string ? nil : Problem("this is of type \(type.kind.rawValue), not a string", at: type)
            }
        })
}
