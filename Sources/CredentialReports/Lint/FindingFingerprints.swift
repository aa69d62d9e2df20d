import Bytes
public import Conformance
import Cryptography

/// Gives findings fingerprints that stay the same from run to run, so that runs can be compared.
public struct FindingFingerprints {
    /// A number tells findings apart that are otherwise the same. The keys are digests, because paths have strangers' text.
    private var alike: [[UInt8]: Int] = [:]

    public init() {}

    /// The fingerprint of the next finding.
    ///
    /// - Parameters:
    ///   - finding: the finding.
    ///   - subject: what identifies the input; nil for its name and the number of the card.
    public mutating func next(_ finding: Finding, in subject: String? = nil) -> String {
        let place = finding.path ?? finding.textDigest ?? ""
        let parts = [finding.rule.id, subject ?? finding.subject, finding.layer.rawValue, place]
        let name = Array(parts.joined(separator: "\u{0}").utf8)
        let digest = SHA256.digest(name)
        let number = alike[digest, default: 0]
        alike[digest] = number + 1
        return SHA256.digest(name + [0] + Array(String(number).utf8)).prefix(16).hexadecimal
    }
}
