import JSON
import SMARTHealthCards

extension Rule {
    /// A list that cannot be relied on keeps every card of its key from being verified.
    static let snapshotLists = Rule(
        "directory-error", "snapshot-lists", .d2,
        requirement: "The revocation lists in a snapshot are such as a verifier can rely on.",
        remedy: "Retrieve the issuer's lists again, and lint them one by one (--as crl).",
        check: .directory { directory in
            var problems: [Problem] = []
            for value in directory.infos.flatMap({ $0["crls"]?.elements.map { Array($0) } ?? [] })
            where problems.count < Bounds.problems {
                do throws(RevocationListError) {
                    guard let defect = try RevocationList(value).defect else { continue }
                    problems.append(Problem("the revocation list cannot be relied on: \(defect)", at: value))
                } catch {
                    problems.append(Problem("this is no revocation list: \(error)", at: value))
                }
            }
            return problems
        })
}
