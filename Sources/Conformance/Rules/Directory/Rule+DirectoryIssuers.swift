import JSON
import SMARTHealthCards

extension Rule {
    /// Which of two entries counts is for each verifier to guess.
    static let directoryIssuers = Rule(
        "directory-error", "issuer-twice", .d1,
        requirement: "A directory lists an issuer once.",
        remedy: "Remove the entry that is out of date.",
        check: .directory { directory in
            var seen: Set<Issuer> = []
            var folded: Set<UTF8Text> = []
            var problems: [Problem] = []
            for entry in directory.entries where problems.count < Bounds.problems {
                guard let iss = entry["iss"], let url = iss.string else { continue }
                if !seen.insert(Issuer(unchecked: url)).inserted {
                    problems.append(Problem("the issuer \(url.quoted()) is in the directory already", at: iss))
                    continue
                }
                guard !folded.insert(url.asciiLowercased).inserted else { continue }
                problems.append(
                    Problem(
                        "the issuer \(url.quoted()) differs only in case from one that is in the directory, and is "
                            + "another issuer",
                        at: iss, severity: .warning))
            }
            return problems
        })
}
