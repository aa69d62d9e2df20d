import Credentials
import Cryptography
import Encodings
import SMARTHealthCards

extension Rule {
    static let liveIssuerTrust = Rule("issuer-not-trusted/live-issuer", RuleCheck.issuer) { subject in
        let trusted = subject.policy.trustedIssuers
        guard trusted.hasLists, trusted.trust(in: subject.issuer) == nil else { return [] }
        let near = trusted.nearMiss(of: subject.issuer).map { "; \($0)" } ?? ""
        return .found("the issuer \(subject.issuer.url.quoted()) is not listed in any directory\(near)")
    }

    static let liveSnapshotKeys = Rule("issuer-directory-mismatch/keys", RuleCheck.issuer) { subject in
        let snapshots = subject.policy.trustedIssuers.snapshots(of: subject.issuer)
        guard subject.keySet != nil, !snapshots.isEmpty else { return [] }
        let listed = points(of: snapshots.flatMap(\.keySet.keys))
        let published = points(of: subject.keys)
        let new = published.keys.filter { listed[$0] == nil }
        let gone = listed.keys.filter { published[$0] == nil }
        let changed = published.keys.filter { keyID in listed[keyID].map { $0 != published[keyID] } ?? false }
        return [
            ("the snapshot lacks keys that the issuer publishes", new),
            ("the snapshot has keys that the issuer no longer publishes", gone),
            ("the snapshot has another key under the same `kid`", changed),
        ].compactMap { words, keyIDs in keyIDs.isEmpty ? nil : Problem("\(words): \(names(of: keyIDs))") }
    }

    /// The coordinates of keys as they are written, by key id.
    private static func points(of keys: [JWK]) -> [KeyID: Set<[UInt8]>] {
        keys.reduce(into: [:]) { points, key in
            guard let keyID = key.keyID else { return }
            let point = ["x", "y"].map { key.value[$0]?.stringBytes ?? [] }.joined(separator: [UInt8(ascii: ".")])
            points[keyID, default: []].insert(Array(point))
        }
    }

    /// The first few of some key ids, in quotation marks.
    private static func names(of keyIDs: [KeyID]) -> String {
        let sorted = keyIDs.map { $0.description.quoted(upTo: 64) }.sorted()
        let rest = sorted.count > 3 ? " and \(sorted.count - 3) more" : ""
        return sorted.prefix(3).joined(separator: ", ") + rest
    }

    static let canonicalIssuer = Rule("issuer-directory-mismatch/canonical-issuer", RuleCheck.issuer) { subject in
        let trusted = subject.policy.trustedIssuers
        guard let canonical = trusted.entry(for: subject.issuer)?.canonicalIssuer else { return [] }
        let words = "in the directory, `canonical_iss` of this issuer is \(canonical.url.quoted()),"
        if canonical == subject.issuer { return .found("\(words) the issuer itself") }
        do throws(VerificationFailure) {
            _ = try Issuer(canonical.url)
        } catch {
            return .found("\(words) which is not an issuer: \(error.message)")
        }
        guard trusted.entry(for: canonical) == nil else { return [] }
        return .found("\(words) which is not in the directory")
    }

    static let directoryName = Rule("issuer-directory-mismatch/name", RuleCheck.issuer) { subject in
        guard let entry = subject.policy.trustedIssuers.entry(for: subject.issuer),
            entry.name?.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) != true
        else { return [] }
        return .found("the directory has no name for this issuer")
    }
}
