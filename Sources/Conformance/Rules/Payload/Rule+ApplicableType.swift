import JSON

extension Rule {
    static let applicableType = Rule(
        "schema-error", "applicable-type", .p1, severity: .warning,
        requirement:
            "\"vc.type\" has the types that apply: #immunization, #laboratory and #covid19. They are deprecated; "
            + "a card with none but #health-card is in order.",
        remedy: "Add the types that are missing, or leave all but #health-card out.",
        check: .payload { payload in
            // A card that has given them up altogether follows the current version.
            guard let types = payload.value?["vc"]?["type"],
                CardTopic.allCases.contains(where: { lists($0.type, in: payload) })
                    || types.elements?.count ?? 0 > 1, let contents = CardTopic.contents(of: payload)
            else { return [] }
            return CardTopic.allCases.filter {
                $0.applies(to: contents, payload.policy) && !lists($0.type, in: payload)
            }
            .map { Problem("the card records such a thing, and this type is missing: \($0.type)", at: types) }
        })
}
