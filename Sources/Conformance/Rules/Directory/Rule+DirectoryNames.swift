import JOSE
import JSON
import SMARTHealthCards

extension Rule {
    /// Two systems of one organisation often have one name; then one of them is the other's alias, or the names say which.
    static let directoryNames = Rule(
        "directory-error", "name-twice", .d1, severity: .warning,
        requirement: "The name tells an issuer from others, unless one is an alias of the other.",
        remedy: "Add to the name what tells the two apart, or name the one as canonical_iss of the other.",
        check: .directory { directory in
            var seen: Set<[UInt8]> = []
            var problems: [Problem] = []
            for entry in directory.entries where problems.count < Bounds.problems {
                guard entry["canonical_iss"] == nil, let value = entry["name"], let name = value.stringBytes,
                    !name.isEmpty, !seen.insert(name).inserted
                else { continue }
                problems.append(Problem("another issuer has the name \(value.excerpt)", at: value))
            }
            return problems
        })
}
