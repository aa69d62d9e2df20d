import ArgumentParser
import Conformance
import CredentialReports
import Credentials
import Encodings
import FHIR

/// `shcverify explain CODE`: explains a code.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration.of("explain")

    @Argument(help: .of("code.explain"), completion: .list(KnownWords.codes)) var code: String?

    func run() throws {
        guard let code else { return try write(Self.list) }
        // Text that is longer than a line of a report is not compared.
        let found = code.utf8.count > 1000 ? nil : Self.parts(of: code).lazy.compactMap(Self.answer).first
        guard let lines = found ?? Self.lines(exitCode: code) ?? SchemaMember.lines(named: code) else {
            throw ValidationError("There is no such code.\(Self.hint(code)) \"shcverify explain\" lists them all.")
        }
        try write(lines)
    }

    /// What a text that was copied from a report may be about: all of it, then of its verdict, and then of the whole, a code, from the end
    /// what stands between two signs, such as `not now` in `PASS (as of …, not now)`, and a word in capitals.
    private static func parts(of text: String) -> [String] {
        let line = Array(text.utf8)[...]
        let words = { (part: ArraySlice<UInt8>) in part.split { " ():;,\"".utf8.contains($0) } }
        let isVerdict: (ArraySlice<UInt8>) -> Bool = { $0.count > 2 && $0.allSatisfy { (0x41...0x5A).contains($0) } }
        let reasons = ReasonCode.allCases.map { Array($0.rawValue.utf8)[...] }
        // After two spaces, a verdict is followed by what the card says.
        let verdict = words(line).first(where: isVerdict).map { line[$0.startIndex...] } ?? []
        let end = verdict.indices.first { verdict[$0...].starts(with: "  ".utf8) } ?? verdict.endIndex
        let found = [verdict[..<end], line].flatMap { part in
            words(part).filter { $0.contains(UInt8(ascii: "-")) || reasons.contains($0) }
                + part.split { ".():;,\"".utf8.contains($0) }.reversed() + words(part).filter(isVerdict)
        }
        return [text] + found.map { String(decoding: $0.trimmingWhiteSpace(), as: UTF8.self) }
    }

    /// The lines on a code, a fact, a word or an exit code; nil if it is none of these.
    private static func answer(_ code: String) -> [String]? {
        if let fact = SpecificationFact.of(code) { return lines(fact) }
        let explanation = Explanation.of(ExplainTopic.word(of: code))
        // "expired" is also a word of the first line, which the reason explains.
        let topic = explanation == nil ? ExplainTopic.of(code) : nil
        let rules = Rule.all.filter { $0.code == code || $0.id == code }
        guard explanation != nil || topic != nil || !rules.isEmpty else { return nil }
        var lines = [explanation?.code ?? topic?.word ?? code]
        if let topic {
            let remedy = topic.remedy ?? "Nothing: the word describes the card or the check, and names no fault."
            lines += ["", topic.meaning, "", "What to do:", "  \(remedy)"]
        }
        if let explanation { lines += [""] + Self.lines(explanation) }
        if !rules.isEmpty {
            lines += ["", rules.count == 1 ? "A rule of lint:" : "Rules of lint:"]
            for rule in rules { lines += [""] + Self.lines(rule) }
        }
        return lines
    }

    /// The code that was probably meant, as a sentence; empty if none is near.
    private static func hint(_ code: String) -> String {
        guard code.utf8.count <= 60, code.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return "" }
        // If two are equally similar, the first one is meant. Readers of reports ask for the words in them.
        let meant = CommandSuggestion.nearest(to: ExplainTopic.word(of: code), among: KnownWords.codes)
        return meant.map { " Did you mean \"\($0)\"?" } ?? ""
    }

    private func write(_ lines: [String]) throws {
        try StandardStreams.write(
            TextRenderer.bytes(lines.map { .line(Words($0)) }, to: StandardStreams.destination()))
    }

    private static func lines(_ explanation: Explanation) -> [String] {
        let (desk, remedy) = (explanation.desk, explanation.remedy)
        let advice = [desk.map { "At the desk: \($0)" }, desk == remedy ? nil : remedy, explanation.options]
        var lines = [explanation.meaning, "", "Causes:"] + explanation.causes.map { "  - \($0)" }
        lines += ["", "What to do:"] + advice.compactMap { words in words.map { "  \($0)" } }
        if let reason = ReasonCode(rawValue: explanation.code) { lines += ["", "Exit code: \(reason.exitCode)"] }
        return lines
    }

    /// What an exit code means, and before that what to do at a desk; nil if there is no such code.
    private static func lines(exitCode: String) -> [String]? {
        let sections = ExplanationPage.embedded.sections
        guard let section = sections.first(where: { $0.part == .exitCodes && $0.isHeaded(exitCode) }) else {
            return nil
        }
        let fields = section.fields
        let reasons = ReasonCode.allCases.filter { "\($0.exitCode)" == section.heading }
        // Reasons that share their advice have it under their exit code.
        let desk = fields[.desk] ?? reasons.first?.explanation.desk ?? ""
        return ["Exit code \(section.heading). At the desk: \(desk)", "", fields[.meaning] ?? "Reasons:"]
            + reasons.map { "  \($0.rawValue): \($0.explanation.meaning)" } + (fields[.note].map { ["", $0] } ?? [])
    }

    private static func lines(_ rule: Rule) -> [String] {
        [
            "\(rule.id) (\(rule.severity.rawValue), looks at: \(rule.subject))", "  \(rule.requirement)",
            "  \(rule.citation.number): \(rule.citation.url)", "  What to do: \(rule.remedy)",
        ]
    }

    private static func lines(_ fact: SpecificationFact) -> [String] {
        let rules = Rule.all.filter { $0.citation.number == fact.number }
        return [fact.number, "", fact.text, "", fact.url, "", "Rules of lint that cite it:"]
            + rules.map { "  \($0.id)" }
    }

    /// All codes, each with what it is used for.
    private static var list: [String] {
        var uses = ReasonCode.allCases.map { (code: $0.rawValue, use: "exit code \($0.exitCode)") }
        uses += CredentialWarning.Code.allCases.map { ($0.rawValue, "warning") }
        uses += Rule.all.grouped(by: \.code).map { ($0[0].code, $0.count == 1 ? "lint" : "lint, \($0.count) rules") }
        return uses.grouped(by: \.code).map { "\($0[0].code) (\($0.map(\.use).joined(separator: "; ")))" }
            + ExplainTopic.headings.map { "\($0) (a word of reports)" }
    }
}

/// A word of a report that is not the code of a failure or finding, and what docs/explanations.md says about it.
struct ExplainTopic {
    /// The word, as `explain` takes it.
    let word: String
    /// What it means.
    let meaning: String
    /// What to do about it; nil if there is nothing to do.
    let remedy: String?
    /// What the holder of the card can do, in words for people who do not have the program; nil if there is nothing.
    let holder: String?

    /// The topic that a word of a report means; nil if there is none.
    ///
    /// Text that is copied from a report may have capitals, and spaces instead of hyphens.
    static func of(_ text: String) -> ExplainTopic? {
        let word = word(of: text)
        let section =
            sections.first { $0.isHeaded(word) }
            ?? sections.first { synonyms($0).contains { $0.utf8.elementsEqual(word.utf8) } }
        return section.map { section in
            let fields = section.fields
            return ExplainTopic(
                word: section.heading, meaning: fields[.meaning] ?? "", remedy: fields[.remedy], holder: fields[.desk])
        }
    }

    /// A text in the form that the words here have.
    static func word(of text: String) -> String {
        String(
            decoding: text.utf8.map { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
                case UInt8(ascii: " "), UInt8(ascii: "_"): UInt8(ascii: "-")
                default: byte
                }
            }, as: UTF8.self)
    }

    /// The words that have a section.
    static var headings: [String] { sections.map(\.heading) }

    /// The words that `explain` takes.
    static var words: [String] { headings + sections.flatMap(synonyms).sorted() }

    private static var sections: [ExplanationPage.Section] {
        ExplanationPage.embedded.sections.filter { $0.part == .words }
    }

    /// Other forms in which reports say a word.
    private static func synonyms(_ section: ExplanationPage.Section) -> [String] {
        section.fields[.also].map { $0.split(separator: ", ").map(String.init) } ?? []
    }
}
