import CData
import Encodings

/// One rule of the specification, and the check that finds violations of it.
///
/// The rules of one subject are in one file below `Rules`, and all of them are in `Rule.all`. `Sources/CData/data/rules.txt` has what they
/// say.
package final class Rule: Sendable {
    /// Code and name: `schema-error/nbf`.
    package let id: String
    /// The code of the findings, such as `schema-error`. Several rules may share one.
    package let code: String
    /// The name, such as `nbf`, which no other rule with the same code has.
    package let name: String
    let check: RuleCheck
    /// What the rule says.
    private let text: RuleText

    /// The severity of a violation, unless a finding has its own.
    package var severity: Severity { text.severity }
    /// The source of the rule.
    package var citation: Citation { text.citation }
    /// What is required, in one or two sentences.
    package var requirement: String { text.requirement }
    /// How to correct a violation: an instruction.
    package var remedy: String { text.remedy }
    /// What the rule checks, in words.
    package var subject: String { check.subject.words }

    /// A rule that says what `rules.txt` has for its ID.
    ///
    /// - Parameters:
    ///   - id: code and name.
    ///   - need: what has to be so that the check can find anything.
    ///   - check: finds violations. A rule without one has findings that `Linter` adds itself.
    init<Subject>(
        _ id: String, _ subject: RuleSubject<Subject>, needing need: RuleNeed = .nothing,
        check: @escaping RuleSubject<Subject>.Check = { _ in [] }
    ) {
        self.id = id
        let parts = id.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1).map { String(Substring($0)) }
        (code, name) = (parts[0], parts[1])
        self.check = subject(needing: need, check)
        text = .of(id)
    }

    /// A rule of a profile's file, which says itself what is required.
    init(
        _ code: String, _ name: String, _ citation: Citation, severity: Severity = .error, requirement: String,
        remedy: String, check: RuleCheck
    ) {
        id = "\(code)/\(name)"
        self.code = code
        self.name = name
        self.check = check
        text = RuleText(severity: severity, citation: citation, requirement: requirement, remedy: remedy)
    }

    /// All rules, from the outside of a card to its inside, then those of what issuers publish. The order is that of
    /// the findings in reports.
    package static let all: [Rule] =
        inputRules + servedCardRules + carrierRules + linkRules + jwsRules + payloadRules + bundleRules + cardRules
        + keyRules
        + revocationRules
        + directoryRules + issuerRules + hcertRules + trustListRules
}

/// The source of a rule: a fact of the specification, or a section of another standard.
package struct Citation: Sendable, Hashable {
    /// `SHC-K3`, or `RFC 7515 §4.1.11`.
    package let number: String
    /// The address of the text in another standard.
    private let address: String?

    init(_ number: String, _ url: String) {
        self.number = number
        address = url
    }

    /// - Parameter text: the number of a fact of the specification, or a title and an address in angle brackets.
    init(_ text: String) {
        let start = text.utf8.last == UInt8(ascii: ">") ? text.utf8.lastIndex(of: UInt8(ascii: "<")) : nil
        number = start.map { String(text[..<$0].dropLast()) } ?? text
        address = start.map { String(text[$0...].dropFirst().dropLast()) }
    }

    /// The address of the text.
    package var url: String { address ?? SpecificationFact.urls[number] ?? "" }

    /// Whether it is a fact of the specification of SMART Health Cards.
    var isOfHealthCards: Bool { number.hasPrefix("SHC-") }
}

/// What a rule says: how serious a violation is, what is required, by which source, and what to do.
struct RuleText: Sendable {
    /// The severity of a violation, unless a finding has its own.
    let severity: Severity
    let citation: Citation
    let requirement: String
    let remedy: String

    /// The text of a rule that `Sources/CData/data/rules.txt` has.
    static func of(_ id: String) -> RuleText {
        guard let text = all[id] else { preconditionFailure("rules.txt does not have the rule \(id)") }
        return text
    }

    /// The texts of the file by the IDs of their rules, read when the first is asked for. The file is part of the program, so a mistake in
    /// it ends every run of the tests.
    static let all = read(unsafe EmbeddedFile(data_rules))

    private static func read(_ file: EmbeddedFile) -> [String: RuleText] {
        let lines = Array(file).split(separator: UInt8(ascii: "\n")).filter { $0.first != UInt8(ascii: "#") }
        var all: [String: RuleText] = [:]
        for start in stride(from: 0, to: lines.count, by: 4) {
            let fields = zip(["rule ", "cite ", "requires ", "remedy "], lines[start...]).compactMap { name, line in
                line.starts(with: name.utf8) ? String(decoding: line.dropFirst(name.utf8.count), as: UTF8.self) : nil
            }
            let words = lines[start].split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
            let severity = words.count == 3 ? Severity(rawValue: words[2]) : words.count == 2 ? .error : nil
            guard let severity, fields.count == 4, all[words[1]] == nil else {
                preconditionFailure("rules.txt: " + String(decoding: lines[start], as: UTF8.self))
            }
            all[words[1]] = RuleText(
                severity: severity, citation: Citation(fields[1]), requirement: fields[2], remedy: fields[3])
        }
        return all
    }
}

/// A numbered fact of the specification: what a rule that cites this number relies on.
///
/// The numbers are this project's own, since the specification has none. The program has the texts of `docs/specification.md`.
package struct SpecificationFact: Sendable {
    /// `SHC-K3`
    package let number: String
    /// What the specification says, in our words.
    package let text: String
    /// The section of the specification.
    package let url: String

    /// Every fact, in the order of the page.
    package static let all = read(Array(unsafe EmbeddedFile(data_specification)))

    /// The sections of the specification, by the numbers of the facts.
    static let urls = Dictionary(all.map { ($0.number, $0.url) }) { first, _ in first }

    /// Reads the page. An entry is a heading such as `### SHC-K3`, the text in paragraphs, and the address in angle brackets.
    private static func read(_ page: [UInt8]) -> [SpecificationFact] {
        var facts: [SpecificationFact] = []
        var number: String?
        var lines: [String] = []
        for line in page.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let text = String(decoding: line, as: UTF8.self)
            if text.hasPrefix("### ") {
                (number, lines) = (String(text.dropFirst(4)), [])
            } else if let found = number, text.hasPrefix("<") {
                let paragraphs = lines.split(whereSeparator: \.isEmpty).map { $0.joined(separator: " ") }
                let url = String(text.dropFirst().dropLast())
                facts.append(SpecificationFact(number: found, text: paragraphs.joined(separator: "\n\n"), url: url))
                number = nil
            } else {
                lines.append(text)
            }
        }
        return facts
    }

    /// The fact of a number, in upper or lower case; nil if there is none.
    package static func of(_ number: String) -> SpecificationFact? {
        guard number.utf8.count <= 16 else { return nil }
        let upperCase = number.utf8.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
        return all.first { $0.number.utf8.elementsEqual(upperCase) }
    }
}
