import JSON
import SMARTHealthCards

/// A card revocation list.
struct RevocationListSubject: Sendable {
    let document: Document
    /// The list, or whatever stands in its place.
    let value: JSONValue
    let policy: LintPolicy

    init(document: Document, value: JSONValue, policy: LintPolicy) {
        self.document = document
        self.value = value
        self.policy = policy
    }

    /// A list of the key that a card names, wherever it was had from.
    init(_ list: RevocationList, of card: CardSubject) {
        let value = list.json
        self.init(
            document: Document(source: card.document.source, layer: .crl, text: value.text, root: value.root),
            value: value, policy: card.policy)
    }

    /// Whether the list names cards by a hash of their Bundle, as a draft has it.
    var isOfHashes: Bool { value["method"]?.isString("hash-fhir") == true }

    /// What a rule finds in the entries that are strings, up to the bound of what it may find.
    func problems(inEntries find: (_ entry: RevocationEntry, _ value: JSONValue) -> Problem?) -> [Problem] {
        guard let elements = value["rids"]?.elements else { return [] }
        var problems: [Problem] = []
        for element in elements {
            guard let entry = RevocationEntry(element), let problem = find(entry, element) else { continue }
            problems.append(problem)
            if problems.count == Bounds.problems { break }
        }
        return problems
    }
}
