package import Credentials
package import Cryptography
package import Directories

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
