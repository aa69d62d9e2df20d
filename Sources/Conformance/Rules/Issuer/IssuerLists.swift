import Credentials
import Cryptography
import Directories
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

    // MARK: Revocation lists

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
