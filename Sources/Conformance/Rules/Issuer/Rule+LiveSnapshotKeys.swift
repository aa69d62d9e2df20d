import JOSE
import JSON
import SMARTHealthCards

extension Rule {
    /// The snapshot has the keys that are published.
    static let liveSnapshotKeys = Rule(
        "issuer-directory-mismatch", "keys", .d2, severity: .warning,
        requirement: "A directory's snapshot has the keys that the issuer publishes.",
        remedy:
            "Wait for the next snapshot; if the difference stays, have the directory look into its retrieval of the keys.",
        check: .issuer { subject in
            let snapshots = subject.policy.trustedIssuers.snapshots(of: subject.issuer)
            guard subject.keySet != nil, !snapshots.isEmpty else { return [] }
            let listed = points(of: snapshots.flatMap(\.keySet.keys))
            let published = points(of: subject.keys)
            let new = published.keys.filter { listed[$0] == nil }
            let gone = listed.keys.filter { published[$0] == nil }
            let changed = published.keys.filter { keyID in listed[keyID].map { $0 != published[keyID] } ?? false }
            return [
                ("the snapshot lacks what is published", new), ("the snapshot has what is published no more", gone),
                ("the snapshot has another key under the same kid", changed),
            ].compactMap { words, keyIDs in keyIDs.isEmpty ? nil : Problem("\(words): \(names(of: keyIDs))") }
        })

    /// The points of keys by key id, as they are written.
    private static func points(of keys: [JWK]) -> [KeyID: Set<[UInt8]>] {
        keys.reduce(into: [:]) { points, key in
            guard let keyID = key.keyID else { return }
            let point = ["x", "y"].map { key.value[$0]?.stringBytes ?? [] }.joined(separator: [UInt8(ascii: ".")])
            points[keyID, default: []].insert(Array(point))
        }
    }

    /// The first few of key ids, in quotation marks.
    private static func names(of keyIDs: [KeyID]) -> String {
        let sorted = keyIDs.map { $0.description.quoted(upTo: 64) }.sorted()
        let rest = sorted.count > 3 ? " and \(sorted.count - 3) more" : ""
        return sorted.prefix(3).joined(separator: ", ") + rest
    }
}
