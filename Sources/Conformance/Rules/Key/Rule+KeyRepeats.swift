import JOSE
import JSON

extension Rule {
    /// A key stands in the set once, or once for each of its certificates.
    static let keyRepeats = Rule(
        "invalid-key-schema", "repeats", .k7, severity: .warning,
        requirement: "A key has one entry in the set, or one for each of its certificates.",
        remedy: "Remove the entry that says nothing new.",
        check: .keySet { set in
            var seen: Set<[[UInt8]?]> = []
            return set.keys.compactMap { key in
                guard let point = key.point else { return nil }
                let leaf = key.value["x5c"]?.elements?.first { _ in true }?.stringBytes
                guard !seen.insert([point.x, point.y, key.key.keyID?.bytes, leaf]).inserted else { return nil }
                return Problem("the set has this key before, with the same kid and certificate", at: key.value)
            }
        })
}
