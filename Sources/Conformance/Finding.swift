import Credentials
import Cryptography
import Encodings

/// A violation of the specification: which rule, what, where, and what to do about it.
package struct Finding: Sendable {
    /// The rule that is violated.
    package let rule: Rule
    /// The severity of this finding, which may differ from the rule's.
    package let severity: Severity
    /// What was found, in a phrase that is clear without other findings. Text from the input is cut short and safe to
    /// print.
    package let message: String
    /// The input's name.
    package let source: String
    /// The number of the card in the input; nil if the finding is not about one card.
    package let card: Int?
    /// The kind of text that has the violation.
    package let layer: Document.Layer
    /// The place in the JSON as a path of member names, such as `vc.credentialSubject.fhirBundle.entry[0]`; nil if the
    /// finding is not about a JSON value.
    package let path: String?
    /// The place in the text of that layer, in bytes from its start; nil if the finding is about the whole text.
    package private(set) var offset: Int?
    /// The line in the text of that layer, from 1.
    package private(set) var line: Int?
    /// The column in that line, in characters, from 1.
    package private(set) var column: Int?
    /// Whether offset, line and column refer to the input itself: the text was not decoded from it.
    package private(set) var isInInput: Bool
    /// Whether the finding stands for others that are left out.
    package let standsForOthers: Bool

    /// A digest of the text, if the finding is about a JWS or a certificate as a whole; else nil. Such a finding says nothing about
    /// another card in the same place.
    package let textDigest: String?

    /// How to correct this violation: an instruction, which may differ from the rule's.
    package let remedy: String

    /// Who has to correct the violation; nil if no profile says so.
    package let actor: FindingActor?

    /// What stays the same from run to run, as long as the rule, the place and the name of the input do: 32 hexadecimal digits.
    package internal(set) var fingerprint = ""

    /// The name of the card, as `verify` prints it, or the name of the input if the finding is not about one card.
    package var subject: String { card.map { "\(source)#\($0)" } ?? source }

    /// The finding's code.
    package var code: String { rule.code }

    /// - Parameter positions: remembers texts, so that each is read only once.
    init(_ rule: Rule, _ problem: Problem, in document: Document, positions: inout TextPositions, actor: FindingActor?)
    {
        self.rule = rule
        self.actor = actor
        severity = problem.severity ?? rule.severity
        remedy = problem.remedy ?? rule.remedy
        message = problem.message
        source = document.source
        card = document.card
        layer = document.layer
        isInInput = document.inputOffset != nil
        standsForOthers = problem.standsForOthers
        let path = Self.path(of: problem, in: document)
        self.path = path
        let isWhole = [.jws, .hc1, .cwt].contains(document.layer) && path == nil
        textDigest = isWhole ? SHA256.digest(document.text).hexadecimal : nil
        guard let position = problem.offset ?? problem.value?.byteRange.lowerBound else { return }
        let absolute = position + (document.inputOffset ?? 0)
        let place = positions.position(ofByte: absolute, in: document)
        offset = absolute
        line = place.line
        column = place.column
    }

    /// The same finding in an input that is one line of many.
    ///
    /// - Parameters:
    ///   - number: the number of the line, from 1.
    ///   - isOwnText: whether the input is the text of the line, and not that of a card in it, whose columns are others.
    package func inLine(_ number: Int, isOwnText: Bool) -> Finding {
        var finding = self
        finding.offset = nil
        finding.line = number
        finding.column = isOwnText ? isInInput && line == 1 ? column : 1 : nil
        finding.isInInput = true
        return finding
    }

    static func path(of problem: Problem, in document: Document) -> String? {
        if let path = problem.path { return path }
        guard let value = problem.value, let root = document.root else {
            return document.pathPrefix.isEmpty ? nil : document.pathPrefix
        }
        var path = document.pathPrefix + root.path(to: value)
        if let member = problem.member { path += JSONValue.step(UTF8Text(member)) }
        if path.hasPrefix(".") { path.removeFirst() }
        return path.isEmpty ? nil : path
    }
}

/// A violation that a rule found in the text that it checked.
struct Problem: Sendable {
    /// What was found. It has to be clear without other findings. Text from the input is cut short and safe to print.
    let message: String
    /// The value with the violation; nil for the whole text.
    let value: JSONValue?
    /// The member that the value lacks; nil if no member is missing.
    let member: String?
    /// The place in the text, in bytes; nil if the value has the place.
    let offset: Int?
    /// The path of the value, if it is not JSON; nil if `value` has the path.
    let path: String?
    /// The severity of this violation; nil for the rule's own.
    let severity: Severity?
    /// How to correct this violation, an instruction; nil for that of the rule.
    let remedy: String?
    /// Whether it stands for other violations that are left out.
    let standsForOthers: Bool

    init(
        _ message: String, at value: JSONValue? = nil, member: String? = nil, offset: Int? = nil, path: String? = nil,
        severity: Severity? = nil, remedy: String? = nil, standsForOthers: Bool = false
    ) {
        self.message = message
        self.remedy = remedy
        self.value = value
        self.member = member
        self.offset = offset
        self.path = path
        self.severity = severity
        self.standsForOthers = standsForOthers
    }

    /// A violation in a member of an object, or that of an object which lacks the member.
    init(_ message: String, at member: String, of object: JSONValue) {
        self.init(message, at: object[member] ?? object, member: object[member] == nil ? member : nil)
    }
}

extension [Problem] {
    /// The one violation that a rule found.
    static func found(
        _ message: String, at value: JSONValue? = nil, member: String? = nil, offset: Int? = nil, path: String? = nil,
        severity: Severity? = nil, remedy: String? = nil
    ) -> [Problem] {
        [Problem(message, at: value, member: member, offset: offset, path: path, severity: severity, remedy: remedy)]
    }

    /// What a reading says of a part that cannot be read; empty if it can be, or is not there.
    static func unread<Value>(_ part: Result<Value, some Unreadable>?, path: String? = nil) -> [Problem] {
        part?.failure.map { [Problem($0.message, path: path)] } ?? []
    }

    /// Adds a violation in a value.
    mutating func add(
        _ message: String, at value: JSONValue? = nil, member: String? = nil, severity: Severity? = nil,
        remedy: String? = nil
    ) {
        append(Problem(message, at: value, member: member, severity: severity, remedy: remedy))
    }
}

/// Why something cannot be read.
protocol Unreadable: Error { var message: String { get } }
extension VerificationFailure: Unreadable {}
extension Rejected: Unreadable {}

/// The severity of a finding.
package enum Severity: String, Sendable, CaseIterable, Comparable {
    /// A violation of a SHALL of the specification.
    case error
    /// A violation of a SHOULD, one that depends on the day, or one that only wastes a few bytes.
    case warning
    /// Not a violation: something was not checked, because the user did not want it to be fetched.
    case unchecked

    /// Whether the first is less severe.
    package static func < (left: Severity, right: Severity) -> Bool {
        // The cases are declared with the most severe one first.
        left != right && allCases.first { $0 == left || $0 == right } == right
    }
}

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
