import Cryptography
import Foundation
import HealthCertificates
import Testing

@testable import Conformance

/// The list of rules is complete, and each rule has its own ID and vectors.
@Suite struct RuleListTests {
    @Test func idsAreUnique() {
        let ids = Rule.all.map(\.id)
        #expect(Set(ids).count == ids.count)
    }

    /// A rule that is missing from the list would never run, and its text would have no rule. A rule without a text ends the tests.
    @Test func everyTextHasARuleAndEveryRuleInAFileHasAText() throws {
        let listed = Set(Rule.all.map(\.id))
        #expect(listed.isSuperset(of: RuleText.all.keys))
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources/Conformance/Rules")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        for case let file as URL in files where file.pathExtension == "swift" {
            for rule in try String(contentsOf: file, encoding: .utf8).matches(of: /Rule\(\s*"([a-z0-9-]+\/[a-z0-9-]+)"/)
            {
                #expect(listed.contains(String(rule.output.1)), "\(rule.output.1)")
            }
        }
    }

    /// The text is written by hand, and the algorithms are a list.
    @Test func theRuleOfSignersKeysNamesEveryAlgorithm() {
        let requirement = RuleText.of("dsc-validity-error/key").requirement
        for algorithm in SignatureAlgorithm.supported { #expect(requirement.contains(algorithm.name)) }
    }

    @Test(arguments: [("K", 8), ("R", 6), ("J", 3), ("P", 4), ("B", 7), ("C", 5), ("D", 3)])
    func everyFactOfTheSpecificationHasARule(_ letter: String, _ count: Int) {
        let cited = Set(Rule.all.map(\.citation.number))
        for number in 1...count { #expect(cited.contains("SHC-\(letter)\(number)"), "SHC-\(letter)\(number)") }
    }

    @Test(arguments: [("H", 2), ("C", 3), ("S", 1), ("P", 8), ("V", 4), ("L", 2), ("T", 1), ("K", 5), ("R", 1)])
    func everyFactAboutCertificatesHasARule(_ letter: String, _ count: Int) {
        let cited = Set(Rule.all.map(\.citation.number))
        for number in 1...count { #expect(cited.contains("HCERT-\(letter)\(number)"), "HCERT-\(letter)\(number)") }
    }

    @Test(arguments: Rule.all.map(\.id)) func ruleHasARequirementARemedyAndACitation(_ id: String) throws {
        let rule = try #require(Rule.all.first { $0.id == id })
        #expect(rule.requirement.hasSuffix("."))
        #expect(rule.remedy.hasSuffix("."))
        #expect(rule.citation.url.hasPrefix("http"))
        let isPlain = { (text: String) in
            text.utf8.allSatisfy { $0 == 0x2D || (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
        }
        // HL7's guide has names with capitals.
        #expect(isPlain(rule.code) && (isPlain(rule.name) || ProfileFile.guide.rules.contains { $0 === rule }))
    }

    /// A content without rules would be found in order, whatever it holds. A link has the rules of links.
    @Test func everyContentOfCertificatesHasRules() {
        let linted = Set(HCERTPayloadSubject.contents.map { $0.kind.number } + [WrappedLink.kind.number])
        #expect(Set(HealthContentKind.all.map(\.number)) == linted)
        #expect(HCERTPayloadSubject.contents.allSatisfy { !$0.rules.isEmpty })
    }

    /// The rules for a live issuer, the server of a card or a link and pictures have no texts as vectors. They are tested with answers of a
    /// server, and in `PictureRuleTests`.
    static let rulesWithVectors = Rule.all.filter { rule in
        let subjects: [any RuleSubjectWords] = [RuleCheck.issuer, RuleCheck.servedCard, RuleCheck.qrSymbol]
        return !subjects.contains { $0 === rule.check.subject }
            && !["qr-decode-error", "shlink-manifest-error", "shlink-jwe-error"].contains(rule.code)
            && !["ktc-content", "ktc-cty"].contains(rule.name)
    }.map(\.id)

    @Test(arguments: rulesWithVectors) func ruleHasPassingAndFailingVectors(_ id: String) {
        let vectors = RuleVector.all.filter { $0.rule == id }
        // Inputs that are too large are created in a test, not stored as vectors.
        #expect(vectors.contains { $0.departs } || id == "input-too-large/bounds")
        #expect(vectors.contains { !$0.departs })
    }
}
