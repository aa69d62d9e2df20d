import Conformance
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
