import Cryptography
import Directories
import Encodings

extension Rule {
    static let revocationListAnswer = Rule(
        "revocation-error", "list-download", "SHC-R4",
        requirement: "A key that has `crlVersion` has a revocation list at <iss>/.well-known/crl/<kid>.json.",
        remedy: "Publish the list at this address, or remove `crlVersion` from the key. Verifiers reject cards if they "
            + "cannot fetch the list.",
        check: .issuer { subject in
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
        })

    static let revocationListCORS = Rule(
        "issuer-key-wellknown-endpoint-cors", "revocation-list", "SHC-R2",
        requirement: "Verifiers that run in a browser can read the revocation lists, as they can the key set.",
        remedy: #"Send "Access-Control-Allow-Origin: *" with each list below /.well-known/crl/."#,
        check: .issuer { subject in
            subject.lists.compactMap { list in
                list.answer.published.flatMap { corsProblem(in: $0, origin: subject.answers.origin, of: list.name) }
            }
        })

    static let revocationListCounter = Rule(
        "revocation-error", "list-counter", "SHC-R4",
        requirement: "`crlVersion` of a key is equal to the counter `ctr` of its revocation list.",
        remedy: "Publish the key set and the list together, and raise both numbers by one for each change.",
        check: .issuer { subject in
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
        })

    static let revocationListKey = Rule(
        "revocation-error", "list-key", "SHC-R2",
        requirement: "`kid` of a revocation list is that of the key in its address.",
        remedy: "Publish each list at the address of the key that it names.",
        check: .issuer { subject in
            subject.lists.compactMap { list in
                guard let listed = list.listedKeyID, listed != list.keyID else { return nil }
                return Problem("`kid` of \(list.name) is another key's: \(listed.description.quoted(upTo: 64))")
            }
        })
}
