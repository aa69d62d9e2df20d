public import SMARTHealthCards

/// A live issuer: what its server answered, and the documents among that.
extension Linter {
    /// Looks at what a live issuer's server answered, and at the key set and the revocation lists that it published.
    ///
    /// Key set and lists are looked at as if they had been given as inputs, under the URL they are from; they are known
    /// to be this issuer's, whatever the policy says.
    public mutating func add(_ answers: PublishedIssuer) {
        let section = newSection()
        let subject = IssuerSubject(answers, policy: policy)
        for rule in Rule.all {
            if case .issuer(let check) = rule.check { add(check(subject), of: rule, in: subject.document, to: section) }
        }
        let given = policy.issuer
        policy.issuer = answers.issuer
        defer { policy.issuer = given }
        // What is no JSON object has been found to be none; nothing more can be said of it.
        if let published = subject.published, subject.keySet != nil {
            add(published.body, source: answers.keySet.url, as: .jwks)
        }
        for list in subject.lists where list.problem == nil {
            guard let published = list.answer.published else { continue }
            add(published.body, source: list.answer.url, as: .crl)
        }
    }
}
