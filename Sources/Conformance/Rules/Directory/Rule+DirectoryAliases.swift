import JSON
import SMARTHealthCards

extension Rule {
    /// An alias tells who an issuer is, by way of an entry that says it.
    static let directoryAliases = Rule(
        "directory-error", "canonical-iss", .d1,
        requirement: "\"canonical_iss\" is another issuer of the directory, and not itself an alias.",
        remedy: "List the issuer that the alias belongs to, or remove canonical_iss.",
        check: .directory { directory in
            let entries = directory.entries
            var isAlias: [Issuer: Bool] = [:]
            for entry in entries {
                guard let url = entry["iss"]?.string else { continue }
                isAlias[Issuer(unchecked: url)] = entry["canonical_iss"] != nil
            }
            var problems: [Problem] = []
            for entry in entries {
                guard problems.count < Bounds.problems else { break }
                guard let canonical = entry["canonical_iss"], let url = canonical.string else { continue }
                if entry["iss"]?.isString(url) == true {
                    problems.append(
                        Problem(
                            "the issuer is an alias of itself", at: canonical, severity: .warning))
                    continue
                }
                switch isAlias[Issuer(unchecked: url)] {
                case false: break
                case true:
                    problems.append(
                        Problem("canonical_iss \(url.quoted()) is itself an alias", at: canonical, severity: .warning))
                case nil:
                    problems.append(Problem("canonical_iss \(url.quoted()) is not in the directory", at: canonical))
                }
            }
            return problems
        })
}
