package import JSON

/// The cards in a FHIR `Parameters` resource, the answer of `$health-cards-issue`:
/// `{"parameter": [{"name": "verifiableCredential", "valueString": JWS}, …]}`.
///
/// No parameter that may be a card is skipped. One that another program could read differently gives no card, but the reason.
/// Parts of parameters, and `Parameters` in parameters, are looked at too.
package struct CardParameters {
    /// A parameter that is named like a card.
    package enum Parameter {
        /// A parameter with the name of cards, and its `valueString`; nil if it has none.
        case card(JSONValue?, in: JSONValue)
        /// A parameter whose card is not read, with the reason in words that follow "a parameter named verifiableCredential".
        case ambiguous(JSONValue, String)
    }

    /// The parameters, in the order of the text.
    package private(set) var parameters: [Parameter] = []
    /// The parameters that are a part of another, or in a resource in a parameter, in the order of the text.
    package private(set) var nested: [JSONValue] = []

    private static let name = "verifiableCredential"

    /// Finds the cards in a `Parameters` resource.
    package init(_ resource: JSONValue) {
        add(membersOf: resource, named: "parameter", isNested: false, isExact: true)
    }

    /// Adds the cards among the parameters in these members of an object.
    private mutating func add(membersOf object: JSONValue, named wanted: String, isNested: Bool, isExact: Bool) {
        for member in object.members.map({ Array($0) }) ?? [] where Self.isSame(member.name, wanted) {
            let isExact = isExact && member.name == UTF8Text(wanted)
            for parameter in member.value.elements.map({ Array($0) }) ?? [] {
                add(parameter, isNested: isNested, isExact: isExact)
            }
        }
    }

    /// - Parameter isExact: whether the members that led here have their names in the case of the specification.
    private mutating func add(_ parameter: JSONValue, isNested: Bool, isExact: Bool) {
        guard let members = parameter.members else { return }
        let isName = { (value: JSONValue) in value.string.map { Self.isSame($0, Self.name) } ?? false }
        let names = members.filter { Self.isSame($0.name, "name") }
        guard names.contains(where: { isName($0.value) }) else {
            add(membersOf: parameter, named: "part", isNested: true, isExact: isExact)
            for member in members where Self.isSame(member.name, "resource") {
                guard member.value["resourceType"]?.isString("Parameters") == true else { continue }
                add(membersOf: member.value, named: "parameter", isNested: true, isExact: isExact)
            }
            return
        }
        if isNested { nested.append(parameter) }
        guard isExact, names.count == 1, parameter["name"]?.isString(Self.name) == true else {
            return parameters.append(
                .ambiguous(parameter, "has a name, or is in a member, with other upper and lower case"))
        }
        guard members.lazy.filter({ Self.isValue($0.name) }).count <= 1 else {
            return parameters.append(.ambiguous(parameter, "has more than one value"))
        }
        parameters.append(.card(parameter["valueString"], in: parameter))
    }

    /// Whether a member holds the content of a parameter: `value[x]`, `resource` or `part`.
    private static func isValue(_ name: UTF8Text) -> Bool {
        isSame(name, "resource") || isSame(name, "part")
            || name.utf8.prefix(5).map { $0 | 0x20 }.elementsEqual("value".utf8)
    }

    /// Whether two names differ at most in the case of their letters.
    private static func isSame(_ name: UTF8Text, _ other: String) -> Bool {
        name.asciiLowercased == UTF8Text(other).asciiLowercased
    }
}
