import Bytes
import Cryptography

/// What a finding is in, whatever its name is.
package enum FindingSubject: Sendable {
    /// An input of its own: its name, and the number of the card in it.
    case input
    /// A line that has an ID, which stays the same wherever the line is.
    case id(String)
    /// A line without an ID: its text.
    case text([UInt8])
}

/// Gives findings fingerprints that stay the same from run to run, so that runs can be compared.
struct FindingFingerprints {
    /// A number tells findings apart that are otherwise the same. The keys are digests, because paths have strangers' text.
    private var alike: [[UInt8]: Int] = [:]

    /// The fingerprint of the next finding.
    mutating func next(_ finding: Finding, in subject: FindingSubject) -> String {
        let subject =
            switch subject {
            case .input: finding.subject
            case .id(let id): id
            case .text(let text): SHA256.digest(text).hexadecimal
            }
        let place = finding.path ?? finding.textDigest ?? ""
        let name = Array([finding.rule.id, subject, finding.layer.rawValue, place].joined(separator: "\u{0}").utf8)
        let digest = SHA256.digest(name)
        let number = alike[digest, default: 0]
        alike[digest] = number + 1
        return SHA256.digest(name + [0] + Array(String(number).utf8)).prefix(16).hexadecimal
    }
}
