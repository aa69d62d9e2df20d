import SMARTHealthCards

extension Rule {
    /// List and key count alike.
    static let revocationListCounter = Rule(
        "revocation-error", "list-counter", .r4,
        requirement: "A key's crlVersion is the counter (ctr) of its revocation list.",
        remedy: "Publish the key set and the list together, both with the counter raised by one for each change.",
        check: .issuer { subject in
            subject.lists.compactMap { list in
                guard let counter = list.counter, let version = list.versions.first(where: { $0 != counter }) else {
                    return nil
                }
                let meaning =
                    counter < version
                    ? "verifiers take the list for outdated"
                    : "verifiers that hold an earlier list do not fetch this one"
                return Problem(
                    "ctr of \(list.name) is \(counter), the key's crlVersion is \(version): \(meaning)",
                    // An issuer that publishes the list first and then the key set is right, for a moment.
                    severity: counter < version ? .error : .warning)
            }
        })
}
