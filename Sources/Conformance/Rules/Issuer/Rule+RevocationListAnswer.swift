import JSON
import SMARTHealthCards

extension Rule {
    /// There is a revocation list where a key says so.
    static let revocationListAnswer = Rule(
        "revocation-error", "list-download", .r4,
        requirement: "A key with crlVersion has a revocation list at <iss>/.well-known/crl/<kid>.json.",
        remedy:
            "Publish the list at that address, or leave crlVersion out of the key: a verifier rejects cards whose list it cannot get.",
        check: .issuer { subject in
            var problems = subject.lists.compactMap { list -> Problem? in
                let url = list.answer.url.quoted()
                switch list.answer.result {
                case .failure(let failure):
                    return Problem("\(list.name) cannot be fetched from \(url): \(failure.message)")
                case .success(let response) where response.status != 200:
                    let missing = response.status == 404 || response.status == 410 ? ": there is none" : ""
                    return Problem("\(list.name) is answered with status \(response.status) at \(url)\(missing)")
                case .success:
                    return list.problem.map { Problem("in place of \(list.name) there is \($0) at \(url)") }
                }
            }
            if subject.answers.furtherLists > 0 {
                problems.append(
                    Problem(
                        "the lists of \(subject.answers.furtherLists) more keys were not looked at", severity: .warning)
                )
            }
            return problems
        })
}
