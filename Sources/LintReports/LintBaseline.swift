import CredentialReports
package import Encodings

/// The findings of an earlier run of `lint`, which are not reported again.
package struct LintBaseline: Sendable {
    /// The first 16 bytes of the SHA-256 digests, as numbers.
    private struct Fingerprint: Hashable {
        let high: UInt64
        let low: UInt64

        /// Reads 32 hexadecimal digits.
        init?(_ digits: some Collection<UInt8>) {
            let values = digits.compactMap(\.hexDigitValue).map(UInt64.init)
            guard digits.count == 32, values.count == 32 else { return nil }
            high = values.prefix(16).reduce(0) { $0 << 4 | $1 }
            low = values.suffix(16).reduce(0) { $0 << 4 | $1 }
        }
    }

    private var known: Set<Fingerprint> = []

    /// A baseline without findings.
    package init() {}

    /// The number of findings.
    package var count: Int { known.count }

    /// Adds a finding, or the findings of a report.
    ///
    /// - Parameter value: a finding with its `fingerprint`, or a report with `findings`, as `lint` prints them in JSON,
    ///   or a report in SARIF.
    /// - Returns: whether it is one of these.
    package mutating func add(_ value: JSONValue) -> Bool {
        // The report of an audit has separate findings for each issuer.
        if value["issuers"] == nil, let findings = value["findings"]?.elements {
            for finding in findings { _ = add(finding) }
            return true
        }
        if let runs = value["runs"]?.elements { return runs.count > 0 && runs.allSatisfy { add(run: $0) } }
        guard let fingerprint = value["fingerprint"]?.stringBytes.flatMap({ Fingerprint($0) }) else { return false }
        known.insert(fingerprint)
        return true
    }

    /// Adds the results of a run in SARIF.
    ///
    /// - Returns: whether it is a run of `lint`: each result has its fingerprint.
    private mutating func add(run: JSONValue) -> Bool {
        guard let results = run["results"]?.elements else { return false }
        let fingerprints = results.map { result in
            result["partialFingerprints"]?["finding/v1"]?.stringBytes.flatMap { Fingerprint($0) }
        }
        guard fingerprints.allSatisfy({ $0 != nil }) else { return false }
        known.formUnion(fingerprints.compactMap(\.self))
        return true
    }

    /// Whether an earlier run had a finding with this fingerprint.
    package func contains(_ fingerprint: String) -> Bool {
        !known.isEmpty && Fingerprint(fingerprint.utf8).map(known.contains) ?? false
    }
}
