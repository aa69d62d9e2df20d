import Conformance
import CredentialReports
import Credentials
import Cryptography
package import Directories
package import Encodings
import SMARTHealthCards

/// The JSON document of an earlier audit, which a later audit is compared with.
package struct AuditDocument: Sendable {
    /// The findings of an earlier audit in one place.
    struct Findings: Sendable {
        /// The findings, in order.
        let entries: [FindingChanges.Entry]
        /// Whether the earlier audit judged the place, and kept all of its findings.
        let isWhole: Bool
        /// Whether the place was judged at all.
        let isJudged: Bool
    }

    /// The states of the issuers.
    package let states: [IssuerState]
    /// The names of the directories.
    let directories: [String]
    /// The findings in the directories themselves.
    let findings: Findings
    /// The findings of each issuer.
    let issuers: [Issuer: Findings]

    /// - Returns: nil if the document is not that of an audit.
    package init?(_ document: JSONValue) {
        guard document["schemaVersion"] != nil, document["notJudged"] != nil,
            let issuers = document["issuers"]?.elements
        else { return nil }
        states = issuers.compactMap { Self.state(in: $0) }
        directories = document["directories"]?.elements?.compactMap { $0.string?.description } ?? []
        findings = Findings(entries: Self.entries(in: document, of: nil), isWhole: true, isJudged: true)
        var places: [Issuer: Findings] = [:]
        for value in issuers {
            guard let issuer = value["iss"]?.string.map({ Issuer(unchecked: $0) }), places[issuer] == nil else {
                continue
            }
            let isJudged = value["outcome"]?.isString(AuditedIssuer.Outcome.notJudged.rawValue) == false
            places[issuer] = Findings(
                entries: Self.entries(in: value, of: issuer),
                isWhole: isJudged && value["leftOut"]?.number?.integer == 0, isJudged: isJudged)
        }
        self.issuers = places
    }

    private static func entries(in value: JSONValue, of issuer: Issuer?) -> [FindingChanges.Entry] {
        value["findings"]?.elements?.compactMap { finding in
            guard let fingerprint = finding["fingerprint"]?.string?.description,
                let rule = finding["rule"]?.string?.description
            else { return nil }
            return FindingChanges.Entry(
                issuer: issuer, rule: rule, severity: finding["severity"]?.string?.description ?? "",
                message: finding["message"]?.string?.description ?? "",
                source: finding["source"]?.string?.description ?? "", fingerprint: fingerprint)
        } ?? []
    }

    private static func state(in value: JSONValue) -> IssuerState? {
        guard let url = value["iss"]?.string else { return nil }
        let keys = value["keys"]?.elements?.compactMap { key -> IssuerState.Key? in
            guard let fingerprint = key["fingerprint"].flatMap({ KeyID($0) }),
                let digest = key["digest"].flatMap({ KeyID($0) })
            else { return nil }
            return IssuerState.Key(
                keyID: key["kid"].flatMap { KeyID($0) }, fingerprint: fingerprint, digest: digest,
                hasPrivatePart: key["hasPrivatePart"]?.boolean)
        }
        let lists = value["lists"]?.elements?.compactMap { list -> IssuerState.List? in
            guard let keyID = list["kid"].flatMap({ KeyID($0) }), let digest = list["digest"].flatMap({ KeyID($0) })
            else { return nil }
            return IssuerState.List(
                keyID: keyID, counter: list["ctr"].flatMap { RevocationCounter($0) },
                count: max(0, list["count"]?.number.flatMap { Int($0.digits) } ?? 0), digest: digest)
        }
        let isReachable: Bool? =
            if value["outcome"]?.isString(AuditedIssuer.Outcome.judged.rawValue) == true {
                true
            } else if value["outcome"]?.isString(AuditedIssuer.Outcome.unreachable.rawValue) == true {
                false
            } else {
                nil
            }
        return IssuerState(
            issuer: Issuer(unchecked: url), name: value["name"]?.string, website: value["website"]?.string,
            canonicalIssuer: value["canonicalIss"]?.string.map { Issuer(unchecked: $0) }, isReachable: isReachable,
            problem: value["problem"]?.string?.description, lacksKeySet: value["lacksKeySet"]?.boolean == true,
            keys: keys, lists: lists)
    }
}

/// An audit for people. Text has the findings as lint prints them, the issuers that were not judged, what changed, and the totals. A page
/// has the totals first, then a list of all issuers, what changed, and the findings. The worst come first.
struct AuditForPeople {
    let audit: DirectoryAudit
    /// The maximum number of issuers without a judgement that text names.
    private static let named = 20

    // MARK: Text

    @Blocks var text: [Block] {
        audit.summary.bySource(audit.findings).flatMap { Finding.blocks($1) }
        for issuer in audit.issuersWorstFirst where !issuer.findings.isEmpty {
            Block.line("\("Issuer ", .tone(.heading))\(issuer.entry.words())")
            // Sorted by input, with the input with the worst finding first.
            issuer.findingsWorstFirst.grouped { Array($0.source.utf8) }.flatMap { Finding.blocks($0) }
            if issuer.leftOut > 0 {
                Block.line("Left out: \(issuer.leftOut.counted("more finding"))")
                Block.line("")
            }
        }
        Block.line(audit.summary.totals)
        let unjudged = audit.issuers.filter { $0.outcome == .notJudged }
        if !unjudged.isEmpty {
            let rest = unjudged.count - Self.named
            Block.line("Not checked, because the audit ran out of time:")
            Block.list(
                unjudged.prefix(Self.named).map { "\(from: $0.entry.issuer.url, upTo: 300)" }
                    + (rest > 0 ? ["and \(rest) more (--format json has all)"] : []))
        }
        if let comparison = audit.comparison {
            Block.line("Changes since \(from: comparison.earlier, upTo: 300):")
            Block.indented(2, ChangeText.blocks(comparison.changes) + (comparison.findings.map(lines) ?? []))
        }
        Block.line(Words(audit.totals))
    }

    /// The lines on findings that are new or cured.
    private func lines(_ changes: FindingChanges) -> [Block] {
        let entries = Dictionary(audit.issuers.map { ($0.entry.issuer, $0.entry) }) { first, _ in first }
        let all = changes.new.map { ("+ new", $0) } + changes.cured.map { ("- cured", $0) }
        let lines = all.map { mark, finding -> Words in
            let place = finding.issuer.flatMap { entries[$0] }?.words() ?? "\(from: finding.source, upTo: 300)"
            let what: Words = "\(mark) \(from: finding.severity, upTo: 20) \(from: finding.rule, upTo: 100)"
            return "\(what) at \(place): \(from: finding.message, upTo: 500)"
        }
        return [.line("findings: \(changes.new.count) new, \(changes.cured.count) cured"), .list(lines)]
    }

    // MARK: The page

    func writePage(by tool: Tool, to sink: ReportSink) throws {
        let isComplete = audit.count(of: .notJudged) == 0
        let summary = audit.summary
        let lead: [Words] =
            [Words("Audited at \(audit.time.toTheSecond)", lists: audit.directories)]
            + [Words(summary.result + summary.rest + ".")] + summary.waivedWords
            + (isComplete ? [] : ["The audit ran out of time before all issuers were checked."])
        let page = HTMLPage(
            headline: audit.totals, style: summary.style == .good && !isComplete ? .unsure : summary.style,
            isWarning: isComplete && summary.errors == 0 && summary.warnings > 0, lead: lead,
            foot: "Audited at \(audit.time.toTheSecond) by \(tool.name) \(tool.version).")
        try page.write(parts, to: sink)
    }

    @Blocks private var parts: [Block] {
        let issuers = Array(audit.issuersWorstFirst.enumerated())
        if !issuers.isEmpty {
            Block.article("Issuers") {
                Block.rows(
                    issuers.map { [$1.entry.words($1.findings.isEmpty ? .note : .part($0)), $1.result] },
                    titles: ["Issuer", "Result"], columns: [])
            }
        }
        if let comparison = audit.comparison {
            Block.article("Changes since \(from: comparison.earlier, upTo: 300)") {
                if comparison.changes.isEmpty { Block.line("No differences.") }
                ChangeText.issuers(comparison.changes, level: 3)
            }
        }
        for (source, findings) in audit.summary.bySource(audit.findings) where !findings.isEmpty {
            Finding.article("\(from: source, upTo: 300)", findings)
        }
        for (number, issuer) in issuers where !issuer.findings.isEmpty {
            Finding.article(
                issuer.entry.words(), part: number, issuer.findingsWorstFirst,
                more: issuer.leftOut > 0 ? [.line("Left out: \(issuer.leftOut.counted("more finding")).")] : [])
        }
    }
}

extension DirectoryEntry {
    /// Name and URL of the issuer.
    ///
    /// - Parameter mark: what the URL represents.
    fileprivate func words(_ mark: Words.Mark? = nil) -> Words { "\(issuer: name, at: issuer.url, mark)" }
}

extension AuditedIssuer {
    /// What was found, in the list of all issuers.
    fileprivate var result: Words {
        let counts = [
            errors > 0 ? errors.counted("error") : nil, warnings > 0 ? warnings.counted("warning") : nil,
            unchecked > 0 ? "\(unchecked) not checked" : nil,
        ].compactMap(\.self).joined(separator: ", ")
        switch outcome {
        case .notJudged: return Words("not judged", .verdict(.unsure))
        case .unreachable:
            let words = state.lacksKeySet ? "no key set" : "unreachable"
            return Words(counts.isEmpty ? words : "\(words): \(counts)", .verdict(.bad))
        case .judged where counts.isEmpty: return Words("no violations", .verdict(.good))
        case .judged:
            return Words(counts, .verdict(errors > 0 ? .bad : .unsure, isWarning: errors == 0 && warnings > 0))
        }
    }
}
