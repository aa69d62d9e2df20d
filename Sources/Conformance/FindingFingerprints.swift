import Bytes
import Cryptography

/// What findings are in, for their fingerprints.
package struct FindingSubject: Sendable {
    /// The name; nil for the name of the input and the number of the card in it. It is made once, since it is a part of the fingerprint
    /// of each finding.
    let name: String?

    /// An input of its own.
    package static let input = FindingSubject(name: nil)

    /// A line that has an ID, which stays the same wherever the line is.
    package static func id(_ id: String) -> FindingSubject {
        FindingSubject(name: id.utf8.count <= longestID ? id : SHA256.digest(id.utf8).hexadecimal)
    }

    /// A line without an ID: its text.
    package static func text(_ text: [UInt8]) -> FindingSubject {
        FindingSubject(name: SHA256.digest(text).hexadecimal)
    }

    /// The longest ID in bytes that is a name itself.
    private static let longestID = 1024
}

/// Gives findings fingerprints that stay the same from run to run, so that runs can be compared.
struct FindingFingerprints {
    /// A number tells findings apart that are otherwise the same. The keys are digests, because paths have strangers' text.
    private var alike: [[UInt8]: Int] = [:]

    /// The fingerprint of the next finding.
    mutating func next(_ finding: Finding, in subject: FindingSubject) -> String {
        let place = finding.path ?? finding.textDigest ?? ""
        let parts = [finding.rule.id, subject.name ?? finding.subject, finding.layer.rawValue, place]
        let name = Array(parts.joined(separator: "\u{0}").utf8)
        let digest = SHA256.digest(name)
        let number = alike[digest, default: 0]
        alike[digest] = number + 1
        return SHA256.digest(name + [0] + Array(String(number).utf8)).prefix(16).hexadecimal
    }
}
