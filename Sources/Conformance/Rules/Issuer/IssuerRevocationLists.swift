import Cryptography
import Directories
import Encodings

extension Rule {
    static let revocationListAnswer = Rule("revocation-error/list-download", RuleCheck.issuer) { subject in
        var problems = subject.lists.compactMap { list -> Problem? in
            let url = list.answer.url.quoted()
            switch list.answer.result {
            case .failure(let failure):
                return Problem("\(list.name) cannot be fetched from \(url): \(failure.message)")
            case .success(let response) where response.status != 200:
                let missing = response.status == 404 || response.status == 410 ? " (there is none)" : ""
                return Problem(
                    "the server answers the request for \(list.name) with status \(response.status)\(missing): "
                        + url,
                    remedy: PublishedAnswer.remedy(forStatus: response.status, of: "the list"))
            case .success:
                return list.problem.map { Problem("instead of \(list.name), the server sends \($0): \(url)") }
            }
        }
        if subject.answers.furtherLists > 0 {
            problems.add(
                "the revocation lists of \(subject.answers.furtherLists) more keys were not checked",
                severity: .warning)
        }
        return problems
    }

    static let revocationListCORS = Rule("issuer-key-wellknown-endpoint-cors/revocation-list", RuleCheck.issuer) {
        subject in
        subject.lists.compactMap { list in
            list.answer.published.flatMap { corsProblem(in: $0, origin: subject.answers.origin, of: list.name) }
        }
    }

    static let revocationListCounter = Rule("revocation-error/list-counter", RuleCheck.issuer) { subject in
        subject.lists.compactMap { list in
            guard let counter = list.counter, let version = list.versions.first(where: { $0 != counter }) else {
                return nil
            }
            let meaning =
                counter < version
                ? "verifiers take the list for outdated"
                : "verifiers that have an earlier list do not fetch this one"
            return Problem(
                "`ctr` of \(list.name) is \(counter), but `crlVersion` of the key is \(version), so \(meaning)",
                // An issuer that publishes the list first, and then the key set, is right to do so.
                severity: counter < version ? .error : .warning)
        }
    }

    static let revocationListKey = Rule("revocation-error/list-key", RuleCheck.issuer) { subject in
        subject.lists.compactMap { list in
            guard let listed = list.listedKeyID, listed != list.keyID else { return nil }
            return Problem("`kid` of \(list.name) is another key's: \(listed.description.quoted(upTo: 64))")
        }
    }
}
