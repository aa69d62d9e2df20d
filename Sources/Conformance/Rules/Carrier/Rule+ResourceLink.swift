import JOSE
import JSON
import SMARTHealthCards

extension Rule {
    static let resourceLink = Rule(
        "schema-error", "resource-link", .c5,
        requirement:
            "A \"resourceLink\" has the parts \"bundledResource\" and \"hostedResource\", each with a \"valueUri\", "
            + "and a \"vcIndex\" with a \"valueInteger\" that counts the cards of the answer from 0.",
        remedy: "Name the resource in the Bundle, the hosted one, and the card, or leave the link out.",
        check: .parameters { resource in
            let parameters = resource.value["parameter"]?.elements.map { Array($0) } ?? []
            let cards = parameters.count { $0["name"]?.isString("verifiableCredential") == true }
            return parameters.filter { $0["name"]?.isString("resourceLink") == true }.flatMap {
                problems(in: $0, cards: cards)
            }
        })

    private static func problems(in link: JSONValue, cards: Int) -> [Problem] {
        guard let parts = link["part"]?.elements.map({ Array($0) }) else {
            return [Problem("the link has no array of parts", at: link, member: "part")]
        }
        var problems: [Problem] = []
        for name in ["bundledResource", "hostedResource"] {
            guard let part = parts.first(where: { $0["name"]?.isString(name) == true }) else {
                problems.append(Problem("the link has no part \"\(name)\"", at: link))
                continue
            }
            if part["valueUri"]?.kind != .string {
                problems.append(Problem("\"\(name)\" has no URI", at: part, member: "valueUri"))
            }
        }
        if let index = parts.first(where: { $0["name"]?.isString("vcIndex") == true }) {
            guard let number = index["valueInteger"]?.number?.integer else {
                return problems + [Problem("\"vcIndex\" has no integer", at: index, member: "valueInteger")]
            }
            if !(0..<Int64(cards)).contains(number) {
                problems.append(Problem("there are \(cards) cards, so none has the index \(number)", at: index))
            }
        }
        return problems
    }
}
