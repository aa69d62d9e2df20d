import JOSE
import JSON
import SMARTHealthCards

extension Rule {
    /// A set is an object with the keys in an array, even where there is one key only.
    static let keySet = Rule(
        "invalid-key-schema", "key-set", .rfc(7517, "5"),
        requirement: "A JWK set is a JSON object whose member \"keys\" is an array of keys, each an object, at "
            + "least one.",
        remedy: "Publish {\"keys\": [ … ]} with the key that cards are signed with among the elements.",
        check: .keySet { set in
            guard set.value.kind == .object else {
                return [Problem("the key set is not an object but \(set.value.excerpt)", at: set.value)]
            }
            guard let keys = set.value["keys"] else {
                let words =
                    set.value["kty"] == nil
                    ? #"the key set has no "keys""# : #"this is a single key; a key set has it in the array "keys""#
                return [Problem(words, at: set.value, member: "keys")]
            }
            guard let elements = keys.elements else {
                return [Problem(#""keys" is not an array but \#(keys.excerpt)"#, at: keys)]
            }
            guard elements.count > 0 else { return [Problem(#""keys" is empty: no card can be verified"#, at: keys)] }
            var problems = elements.lazy.filter { $0.kind != .object }.prefix(Bounds.problems)
                .map { Problem("a key is an object, this is \($0.excerpt)", at: $0) }
            if elements.count > Bounds.keysOfSet {
                problems.append(
                    Problem(
                        "the set has \(elements.count) keys; the first \(Bounds.keysOfSet) were looked at", at: keys))
            }
            return problems
        })
}
