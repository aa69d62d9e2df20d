package import Credentials
package import Cryptography
package import Directories
import Encodings
import SMARTHealthCards

/// Checking what issuers publish: key sets, revocation lists and directories.
extension Linter {
    /// Checks a card together with its issuer, the key that it names and the revocation lists of this key.
    ///
    /// The issuer's other keys are not checked, because they do not concern this card. If several cards of an input
    /// name the same key, it is checked once.
    mutating func lint(_ card: CardSubject, in section: Int) {
        apply(RuleCheck.card, to: card, in: card.document, section: section)
        guard let issuer = card.issuer, let keyID = card.keyID,
            namedKeys.insert(NamedKey(source: card.document.source, issuer: issuer, keyID: keyID)).inserted
        else { return }
        for found in found(inKeyOf: card, named: CardKeys.Name(issuer: issuer, keyID: keyID)) {
            let document = Document(
                source: card.document.source, layer: found.layer, text: found.root.text, root: found.root)
            add(found.problems, of: found.rule, in: document, to: section, isGiven: found.isGiven)
        }
        // The issuer's own list comes last.
        for list in card.lists.dropFirst(card.key.lists?.all.count ?? 0) {
            let list = RevocationListSubject.ofKey(list, of: card)
            apply(RuleCheck.revocationList, to: list, in: list.document, section: section)
        }
    }

    /// What the rules find in the key that a card names, and in the revocation lists that are given for it.
    private func found(inKeyOf card: CardSubject, named name: CardKeys.Name) -> [CardKeys.Found] {
        if let known = cardKeys.found(in: card.key, named: name) { return known }
        var found: [CardKeys.Found] = []
        for key in KeySubject.named(by: card) {
            found += findings(of: RuleCheck.key, in: key).map { rule, problems in
                CardKeys.Found(
                    rule: rule, problems: problems, layer: .jwks, root: key.value.root, isGiven: card.key.hasGivenKeys)
            }
        }
        let lists = card.key.lists
        for (index, list) in (lists?.all ?? []).enumerated() {
            let subject = RevocationListSubject.ofKey(list, of: card)
            found += findings(of: RuleCheck.revocationList, in: subject).map { rule, problems in
                // The lists that were given separately come first.
                CardKeys.Found(
                    rule: rule, problems: problems, layer: .crl, root: subject.value.root,
                    isGiven: index < lists?.given.count ?? 0)
            }
        }
        cardKeys.keep(found, in: card.key, named: name)
        return found
    }

    // MARK: Card files on a server

    /// Checks a card file as a server sends it: the answer, and the file like an input that is named after its URL.
    package mutating func add(served answer: PublishedAnswer) {
        let section = newSection()
        let subject = ServedCardSubject(answer)
        apply(RuleCheck.servedCard, to: subject, in: subject.document, section: section)
        if let published = answer.published { add(published.body, source: answer.url) }
    }

    // MARK: Live issuers

    /// Checks the answers of a live issuer's server, with the key set and the revocation lists among them.
    ///
    /// Key set and lists are checked like inputs that are named after their URL. Their issuer is this one, whatever the
    /// policy says.
    package mutating func add(_ answers: PublishedIssuer) {
        let section = newSection()
        let subject = IssuerSubject(answers, policy: policy)
        apply(RuleCheck.issuer, to: subject, in: subject.document, section: section)
        let given = policy.issuer
        policy.issuer = answers.issuer
        place = .answer
        defer {
            policy.issuer = given
            place = .input
        }
        // An answer that is not a JSON object is already a finding, and cannot be checked further.
        if let published = subject.published, subject.keySet != nil {
            add(published.body, source: answers.keySet.url, as: .jwks)
        }
        for list in subject.lists where list.problem == nil {
            guard let published = list.answer.published else { continue }
            add(published.body, source: list.answer.url, as: .crl)
        }
    }
}

/// What an audit of a directory found out about one of its issuers.
package struct AuditedIssuer: Sendable {
    /// How far the audit came.
    package enum Outcome: String, Sendable {
        /// The issuer publishes a key set, which was checked with its revocation lists.
        case judged
        /// The issuer publishes no key set that can be read.
        case unreachable
        /// The issuer was not asked, because the time of the audit was used up.
        case notJudged = "not-judged"
    }

    /// The issuer's entry in the directory.
    package let entry: DirectoryEntry
    /// How far the audit came.
    package let outcome: Outcome
    /// Whether the server answered the request for the key set, even if not with a key set; nil if it was not asked.
    package let hasAnswered: Bool?
    /// The first findings, as many as `maximumFindings`.
    package let findings: [Finding]
    /// The number of all findings that are errors.
    package let errors: Int
    /// The number of all findings that are warnings.
    package let warnings: Int
    /// The number of all findings about rules that could not be checked.
    package let unchecked: Int
    /// The issuer's keys and lists: as they are published, or if the issuer was not reached, as an earlier audit knew them.
    package private(set) var state: IssuerState

    /// The most findings that are kept of an issuer. The others are counted.
    package static let maximumFindings = 100

    /// Judges the answers of an issuer's server.
    ///
    /// - Parameters:
    ///   - entry: the issuer's entry in the directory.
    ///   - answers: the answers.
    ///   - policy: the settings.
    /// - Throws: `InflateError` if there is no memory for the linter.
    package init(_ entry: DirectoryEntry, answers: PublishedIssuer, policy: LintPolicy) throws(InflateError) {
        var linter = try Linter(policy: policy)
        linter.add(answers)
        let found = linter.findings
        self.entry = entry
        state = IssuerState(answers, of: entry)
        outcome = state.isReachable == true ? .judged : .unreachable
        hasAnswered = if case .failure(let failure) = answers.keySet.result { failure.kind == .answer } else { true }
        errors = found.count { $0.severity == .error }
        warnings = found.count { $0.severity == .warning }
        unchecked = found.count - errors - warnings
        // If findings are left out, the errors among them are the last to go.
        let ordered =
            found.count > Self.maximumFindings
            ? found.filter { $0.severity == .error } + found.filter { $0.severity != .error } : found
        findings = Array(ordered.prefix(Self.maximumFindings))
    }

    /// An issuer that was not asked.
    ///
    /// - Parameter entry: the issuer's entry in the directory.
    package init(notJudged entry: DirectoryEntry) {
        self.entry = entry
        outcome = .notJudged
        hasAnswered = nil
        findings = []
        (errors, warnings, unchecked) = (0, 0, 0)
        state = IssuerState(
            issuer: entry.issuer, name: entry.name, website: entry.website, canonicalIssuer: entry.canonicalIssuer,
            isReachable: nil, keys: nil, lists: nil)
    }

    /// Keeps the keys and lists of an earlier audit if none are known now.
    package mutating func keep(_ earlier: IssuerState?) { state = state.keeping(earlier) }

    /// The number of findings that are left out of `findings`.
    package var leftOut: Int { errors + warnings + unchecked - findings.count }
}
