import Conformance
import Foundation
import Testing

/// Each fact that a rule cites has a text, and `docs/specification.md` has the same text.
@Suite struct SpecificationFactTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static let numbers = Set(Rule.all.map(\.citation.number))
        .filter { $0.hasPrefix("SHC-") || $0.hasPrefix("HCERT-") || $0.hasPrefix("WHO-") }.sorted()

    @Test(arguments: numbers)
    func everyCitedNumberHasAFact(_ number: String) throws {
        let fact = try #require(SpecificationFact.of(number))
        #expect(fact.number == number)
        // The rule links to the same section of the specification as the fact.
        for rule in Rule.all where rule.citation.number == number { #expect(rule.citation.url == fact.url) }
    }

    @Test func everyFactIsCited() {
        let cited = Set(Rule.all.map(\.citation.number))
        for fact in SpecificationFact.all { #expect(cited.contains(fact.number), "\(fact.number)") }
        #expect(Set(SpecificationFact.all.map(\.number)).count == SpecificationFact.all.count)
    }

    @Test func findsNumbersInAnyCaseAndNothingElse() {
        #expect(SpecificationFact.of("shc-k7")?.number == "SHC-K7")
        #expect(SpecificationFact.of("Shc-K7")?.number == "SHC-K7")
        #expect(SpecificationFact.of("hcert-p1")?.number == "HCERT-P1")
        for text in ["", "K7", "k7", "SHC-K", "SHC-K77", "SHC_K7", "ſHC-K7", "SHC-\u{212A}7", "SHC-K7\u{301}"] {
            #expect(SpecificationFact.of(text) == nil, "\(text)")
        }
        #expect(SpecificationFact.of(String(repeating: "SHC-K7", count: 1000)) == nil)
    }

    @Test func pageHasTheSameFacts() throws {
        let page = try String(
            contentsOf: Self.root.appendingPathComponent("docs/specification.md"), encoding: .utf8)
        // An entry ends before the next entry or group.
        let entries = page.components(separatedBy: "\n### ").dropFirst().map {
            $0.components(separatedBy: "\n## ")[0].components(separatedBy: "\n\n")
                .map { $0.split(separator: "\n").joined(separator: " ") }.filter { !$0.isEmpty }
        }
        #expect(entries == SpecificationFact.all.map { [$0.number, $0.text, "<\($0.url)>"] })
    }
}
