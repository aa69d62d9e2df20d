import JOSE
import JSON
import SMARTHealthCards

extension Rule {
    static let unknownCardType = Rule(
        "schema-error", "unknown-type", .p1, severity: .warning,
        requirement: "\"vc.type\" has types that the framework defines; verifiers ignore others.",
        remedy: "Leave types out that no verifier knows.",
        check: .payload { payload in
            (payload.value?["vc"]?["type"]?.elements.map { Array($0) } ?? []).compactMap { type in
                guard type.kind == .string, !UnverifiedCard.knownTypes.contains(where: { type.isString($0) }) else {
                    return nil
                }
                return Problem("this type is not known: \(type.excerpt)", at: type)
            }
        })
}
