import Credentials
import Encodings
import SMARTHealthCards

/// A card revocation list.
struct RevocationListSubject: Sendable {
    let document: Document
    /// The JSON, which should be a revocation list.
    let value: JSONValue
    let policy: LintPolicy

    /// A list of the key that a card names, wherever it came from.
    static func ofKey(_ list: RevocationList, of card: CardSubject) -> RevocationListSubject {
        let document = Document(source: card.document.source, layer: .crl, text: list.json.text, root: list.json.root)
        return RevocationListSubject(document: document, value: list.json, policy: card.policy)
    }

    /// Whether the list names cards by a hash of their Bundle, as in a draft.
    var isOfHashes: Bool { value["method"]?.isString("hash-fhir") == true }

    /// The violations that a rule finds in the entries that are strings, up to the limit.
    func problems(inEntries find: (_ entry: RevocationListEntry, _ value: JSONValue) -> Problem?) -> [Problem] {
        guard let elements = value["rids"]?.elements else { return [] }
        var problems: [Problem] = []
        for element in elements {
            guard let entry = RevocationListEntry(element), let problem = find(entry, element) else { continue }
            problems.append(problem)
            if problems.count == Bounds.problems { break }
        }
        return problems
    }
}

/// An entry of a revocation list, `rid` or `rid.timestamp`, split at the first dot.
struct RevocationListEntry {
    let revocationID: ArraySlice<UInt8>
    /// The text after the dot; nil if there is no dot.
    let timestamp: ArraySlice<UInt8>?

    /// Nil if the value is not a string.
    init?(_ value: JSONValue) {
        // A list may have a million entries, of which few are written with escapes.
        guard let text = value.plainStringBytes ?? value.stringBytes.map({ $0[...] }) else { return nil }
        let dot = text.firstIndex(of: UInt8(ascii: ".")) ?? text.endIndex
        revocationID = text[..<dot]
        timestamp = dot < text.endIndex ? text[(dot + 1)...] : nil
    }

    /// The time; nil if there is none, or it cannot be read.
    var moment: NumericDate? {
        guard let timestamp, isTimestamp else { return nil }
        return NumericDate(sinceEpoch: .seconds(timestamp.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }))
    }

    /// Whether the text after the dot is digits, and not too many for a time.
    var isTimestamp: Bool {
        guard let timestamp else { return false }
        return (1...15).contains(timestamp.count) && timestamp.allSatisfy { (0x30...0x39).contains($0) }
    }
}
