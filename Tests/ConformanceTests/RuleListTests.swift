import Foundation
import Testing

@testable import Conformance

/// The rules as a list: complete, each with its own id, each with vectors.
@Suite struct RuleListTests {
    @Test func idsAreUnique() {
        let ids = Rule.all.map(\.id)
        #expect(Set(ids).count == ids.count)
    }

    /// One that stands in a file and in no list would look for nothing.
    @Test func everyRuleInAFileIsInTheList() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources/Conformance/Rules")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var count = 0
        for case let file as URL in files where file.pathExtension == "swift" {
            count += try String(contentsOf: file, encoding: .utf8).components(separatedBy: "= Rule(").count - 1
        }
        #expect(count == Rule.all.count)
    }

    @Test(arguments: [("K", 8), ("R", 6), ("J", 3), ("P", 4), ("B", 7), ("C", 5), ("D", 3)])
    func everyFactOfTheSpecificationHasARule(_ letter: String, _ count: Int) {
        let cited = Set(Rule.all.map(\.citation.number))
        for number in 1...count { #expect(cited.contains("SHC-\(letter)\(number)"), "SHC-\(letter)\(number)") }
    }

    @Test(arguments: Rule.all.map(\.id)) func aRuleSaysWhatItAsksAndWhatToDo(_ id: String) throws {
        let rule = try #require(Rule.all.first { $0.id == id })
        #expect(rule.requirement.hasSuffix("."))
        #expect(rule.remedy.hasSuffix("."))
        #expect(rule.citation.url.hasPrefix("http"))
        let isPlain = { (text: String) in
            text.utf8.allSatisfy { $0 == 0x2D || (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
        }
        #expect(isPlain(rule.code) && isPlain(rule.name))
    }

    /// A live issuer has no file; its rules are tested against a server.
    static let rulesWithVectors = Rule.all.filter { if case .issuer = $0.check { false } else { true } }.map(\.id)

    @Test(arguments: rulesWithVectors) func aRuleHasAVectorOnEachSideOfTheLine(_ id: String) {
        let vectors = RuleVector.all.filter { $0.rule == id }
        // What is larger than the bounds is made by a test.
        #expect(vectors.contains { $0.departs } || id == "input-too-large/bounds")
        #expect(vectors.contains { !$0.departs })
    }
}
