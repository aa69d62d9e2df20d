import ArgumentParser
import Conformance
import CredentialReports
import Credentials
import FHIR

/// `shcverify explain CODE`: explains a code.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration.of("explain")

    @Argument(help: .of("code.explain"), completion: .list(KnownWords.codes)) var code: String?

    func run() throws {
        guard let text = code else { return try write(Self.list) }
        // The code may have been copied from a message, with the colon behind it.
        let code = text.utf8.last == UInt8(ascii: ":") ? String(text.utf8.dropLast()) ?? text : text
        // Text that is longer than any code is not compared.
        let isCode = code.utf8.count <= 200
        let explanation = isCode ? Explanation.of(ExplainTopic.word(of: code)) : nil
        // "expired" is also a word of the first line, which the reason explains.
        let topic = isCode && explanation == nil ? ExplainTopic.of(code) : nil
        let rules = isCode ? Rule.all.filter { $0.code == code || $0.id == code } : []
        if let fact = SpecificationFact.of(code) { return try write(Self.lines(fact)) }
        guard explanation != nil || topic != nil || !rules.isEmpty else {
            if isCode, let lines = SchemaMember.lines(named: code) { return try write(lines) }
            if isCode, let lines = Self.lines(exitCode: code) { return try write(lines) }
            throw ValidationError("There is no such code.\(Self.hint(code)) \"shcverify explain\" lists them all.")
        }
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
        try write(lines)
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
        var rules: [String: Int] = [:]
        for rule in Rule.all { rules[rule.code, default: 0] += 1 }
        let known = Set(uses.map(\.code))
        let codes = Rule.all.map(\.code).reduce(into: uses.map(\.code)) { codes, code in
            if !known.contains(code), !codes.contains(code) { codes.append(code) }
        }
        let topics = ExplainTopic.headings.map { "\($0) (a word of reports)" }
        return codes.map { code in
            var words = uses.filter { $0.code == code }.map(\.use)
            if let count = rules[code] { words.append(count == 1 ? "lint" : "lint, \(count) rules") }
            return "\(code) (\(words.joined(separator: "; ")))"
        } + topics
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
