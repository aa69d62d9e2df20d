import JSON
import SMARTHealthCards

extension Rule {
    /// A resource without any parameter is the answer where there is no card (SHC "$health-cards-issue").
    static let parametersCredential = Rule(
        "schema-error", "parameters-credential", .c5,
        requirement:
            "The Parameters that $health-cards-issue returns has one parameter \"verifiableCredential\" for each "
            + "card, with the JWS as its \"valueString\".",
        remedy: "Write {\"name\": \"verifiableCredential\", \"valueString\": \"<JWS>\"} for each card.",
        check: .parameters { resource in
            guard let parameter = resource.value["parameter"] else {
                return [
                    Problem("the answer has no card, as where there is none", at: resource.value, severity: .warning)
                ]
            }
            guard let elements = parameter.elements else {
                return [Problem("this is of type \(parameter.kind.rawValue), not an array", at: parameter)]
            }
            let cards = elements.filter { $0["name"]?.isString("verifiableCredential") == true }
            guard !cards.isEmpty else { return [Problem("none of these is a verifiableCredential", at: parameter)] }
            return cards.compactMap { card in
                guard let text = card["valueString"] else {
                    return Problem("there is no JWS", at: card, member: "valueString")
                }
                return text.kind == .string
                    ? nil : Problem("this is of type \(text.kind.rawValue), not a string", at: text)
            }
        })
}
