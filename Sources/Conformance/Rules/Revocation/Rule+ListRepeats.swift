import JOSE
import JSON
import SMARTHealthCards

extension Rule {
    /// An entry without a time covers all with one; of several times the latest covers the others. Of a list longer than any
    /// real one only the beginning is compared.
    static let listRepeats = Rule(
        "revocation-error", "repeats", .r3, severity: .warning,
        requirement: "Each identifier is in the list once.",
        remedy: "Keep the entry without a time, or that with the latest.",
        check: .revocationList { list in
            guard let elements = list.value["rids"]?.elements else { return [] }
            var seen: [ArraySlice<UInt8>: Bool] = [:]
            var problems: [Problem] = []
            for element in elements.prefix(Bounds.comparedEntries) {
                guard let entry = RevocationEntry(element) else { continue }
                let isTimed = entry.timestamp != nil
                guard let earlier = seen.updateValue(isTimed, forKey: entry.revocationID) else { continue }
                let words =
                    earlier == isTimed
                    ? (isTimed ? "is in the list with a time already" : "is in the list already")
                    : "is in the list with a time and without, which revokes all its cards"
                problems.append(Problem("the identifier of \(element.excerpt) \(words)", at: element))
                if problems.count == Bounds.problems { break }
            }
            return problems
        })
}
