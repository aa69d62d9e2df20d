import Cryptography
import Encodings

/// What findings are in, for their fingerprints.
package enum FindingSubject: Sendable {
    /// An input of its own, which has the name of the input and the number of the card in it.
    case input
    /// A line that has an ID, which stays the same wherever the line is.
    case id(String)
    /// A line without an ID: its text.
    case text([UInt8])
}

/// Gives findings fingerprints that stay the same from run to run, so that runs can be compared.
struct FindingFingerprints {
    /// A number tells findings apart that are otherwise the same. The keys are digests, because paths have strangers' text.
    private var alike: [Digest: Int] = [:]
    /// The name of what the findings are in, in UTF-8. It is a part of the fingerprint of each finding, but most lines have none.
    private var subjectName: [UInt8]?
    /// Nil if there is no memory for it. Then each digest is computed without it.
    private let context = SHA256Context()

    /// The longest ID in bytes that is a name itself.
    private static let longestID = 1024

    /// Up to how many findings the memory for them is kept for the next input.
    private static let keptCapacity = 16

    /// The 32 bytes of a digest, in a form that is hashed fast.
    private struct Digest: Hashable {
        private var words = SIMD4<UInt64>()

        init(_ bytes: [UInt8]) {
            for (place, byte) in bytes.enumerated() { words[place / 8] = words[place / 8] << 8 | UInt64(byte) }
        }
    }

    /// Forgets the findings so far.
    mutating func beginAgain() {
        alike.removeAll(keepingCapacity: alike.count <= Self.keptCapacity)
        subjectName = nil
    }

    /// Forgets the name of what the findings were in.
    mutating func forgetSubject() { subjectName = nil }

    /// The fingerprint of the next finding.
    mutating func next(_ finding: Finding, in subject: FindingSubject) -> String {
        let place = finding.path ?? finding.textDigest ?? ""
        var name = Array(finding.rule.id.utf8)
        for part in [nameBytes(of: subject, finding), Array(finding.layer.rawValue.utf8), Array(place.utf8)] {
            name.append(0)
            name += part
        }
        let digest = Digest(digest(name))
        let number = alike[digest, default: 0]
        alike[digest] = number + 1
        return Array(self.digest(name + [0] + Array(String(number).utf8)).prefix(16)).hexadecimal
    }

    private mutating func nameBytes(of subject: FindingSubject, _ finding: Finding) -> [UInt8] {
        if let subjectName { return subjectName }
        let name: [UInt8]
        switch subject {
        case .input: return Array(finding.subject.utf8)
        case .id(let id) where id.utf8.count <= Self.longestID: name = Array(id.utf8)
        case .id(let id): name = Array(digest(Array(id.utf8)).hexadecimal.utf8)
        case .text(let text): name = Array(digest(text).hexadecimal.utf8)
        }
        subjectName = name
        return name
    }

    private func digest(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: SHA256.digestLength)
        guard let context, context.digest(bytes[...], into: &digest) else { return SHA256.digest(bytes) }
        return digest
    }
}
