import JSON

extension Rule {
    static let repeatedType = Rule(
        "schema-error", "repeated-type", .p1, severity: .warning,
        requirement: "\"vc.type\" has each type once.",
        remedy: "Leave the repetition out.",
        check: .payload { payload in
            var seen: Set<[UInt8]> = []
            return (payload.value?["vc"]?["type"]?.elements.map { Array($0) } ?? []).compactMap { type in
                guard let text = type.stringBytes else { return nil }
                return seen.insert(text).inserted ? nil : Problem("this type is there already", at: type)
            }
        })
}
