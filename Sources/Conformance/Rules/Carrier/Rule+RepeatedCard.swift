import JSON

extension Rule {
    static let repeatedCard = Rule(
        "schema-error", "repeated-card", .c1, severity: .warning,
        requirement: "A file holds a card once.",
        remedy: "Leave the repetition out.",
        check: .file { file in
            var seen: Set<ArraySlice<UInt8>> = []
            return (file.value["verifiableCredential"]?.elements.map { Array($0) } ?? []).compactMap { element in
                element.kind != .string || seen.insert(element.rawBytes).inserted
                    ? nil : Problem("this card is in the file already", at: element)
            }
        })
}
