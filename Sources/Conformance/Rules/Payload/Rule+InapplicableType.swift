import JSON
import SMARTHealthCards

extension Rule {
    static let inapplicableType = Rule(
        "schema-error", "inapplicable-type", .p1, severity: .warning,
        requirement: "\"vc.type\" has no types that do not apply.",
        remedy: "Leave the type out, or see why the Bundle lacks what it stands for.",
        check: .payload { payload in
            guard let types = payload.value?["vc"]?["type"]?.elements, let contents = CardTopic.contents(of: payload)
            else { return [] }
            return types.compactMap { type in
                guard let topic = CardTopic.allCases.first(where: { type.isString($0.type) }),
                    !topic.applies(to: contents, payload.policy)
                else { return nil }
                return Problem("the card records nothing of this type", at: type)
            }
        })
}
