import Credentials
import Encodings
import Foundation
import HealthCertificates
import Inputs
import TestSupport
import Testing

@testable import Conformance

/// EU Digital COVID Certificates: what the vectors do not show.
@Suite struct HCERTLintTests {
    private static let now = NumericDate(sinceEpoch: .seconds(1_654_041_600))

    private static func bytes(_ name: String) throws -> [UInt8] { try RuleVector.bytes("hcert/" + name) }

    private static func text(_ name: String) throws -> String {
        String(decoding: try bytes("cards/\(name).hc1"), as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    private static func policy() throws -> LintPolicy {
        var policy = LintPolicy(now: now)
        policy.signers.add(try TrustListRules().admit(try SignerList(try bytes("trust/signers.pem"))))
        return policy
    }

    private static func findings(in input: [UInt8], as kind: InputForm? = nil) throws -> [Finding] {
        var linter = try Linter(policy: try policy())
        linter.add(input, source: "input", as: kind)
        linter.finishReading()
        _ = linter.judge(with: EvidenceAnswers())
        return linter.findings
    }

    // MARK: Inputs

    @Test func everyLineIsJudgedAsWhatItIs() throws {
        let lines = [
            try Self.text("valid-vaccination"), "shc:/5", try Self.text("zlib-none"), "HC2:ABC", "eyJ.e.e",
            try Self.text("valid-test"),
        ]
        let findings = try Self.findings(in: Array(lines.joined(separator: "\n").utf8))
        #expect(!findings.contains { $0.card == 0 || $0.card == 5 })
        #expect(findings.filter { $0.card == 1 }.allSatisfy { $0.layer == .qr })
        #expect(findings.filter { $0.card == 2 }.map(\.rule.id) == ["zlib-error/stream"])
        #expect(findings.filter { $0.card == 3 }.map(\.rule.id) == ["unknown-file-data/unrecognised"])
        #expect(findings.contains { $0.card == 3 && $0.message.contains("a later version of EU certificates") })
        #expect(findings.contains { $0.card == 4 && $0.code == "jws-header-error" })
    }

    @Test func certificateMayStandAmongCodesThatAreNamedAsSuch() throws {
        let lines = ["shc:/5", try Self.text("zlib-none")].joined(separator: "\n")
        #expect(try Self.findings(in: Array(lines.utf8), as: .qr).contains { $0.rule.id == "zlib-error/stream" })
    }

    @Test func findingHasItsPlaceInTheInput() throws {
        let text = try Self.text("valid-vaccination")
        let broken = text.prefix(10) + "_" + text.dropFirst(11)
        let finding = try #require(try Self.findings(in: Array((text + "\n  " + broken).utf8)).first)
        #expect(finding.rule.id == "base45-error/text")
        #expect(finding.line == 2)
        #expect(finding.column == 13)
        #expect(finding.isInInput)
    }

    @Test func nothingIsTrimmedFromOctets() throws {
        let octets = try Self.bytes("cards/valid-cwt.cwt")
        #expect(try Self.findings(in: octets).isEmpty)
        #expect(try Self.findings(in: octets + [0x0A]).map(\.rule.id) == ["cose-header-error/structure"])
    }

    @Test func namedFormIsBelieved() throws {
        let text = Array(try Self.text("valid-vaccination").utf8)
        #expect(try Self.findings(in: Array(text.dropFirst(4)), as: .hc1).map(\.rule.id) == ["base45-error/prefix"])
        #expect(try Self.findings(in: text, as: .cwt).map(\.rule.id) == ["cose-header-error/structure"])
        #expect(try !Self.findings(in: [], as: .hc1).isEmpty)
        #expect(try !Self.findings(in: [], as: .cwt).isEmpty)
    }

    @Test func certificateOnAPictureIsLinted() throws {
        let place = CodePlace(source: "picture.png", page: 1, width: 9, height: 9, corners: [])
        let text = Array(try Self.text("zlib-none").utf8)
        var linter = try Linter(policy: try Self.policy())
        linter.add(
            ScannedDocument(form: .picture, codes: [ScannedCode(text: text, place: place)]), source: "picture.png")
        #expect(linter.findings.map(\.rule.id) == ["zlib-error/stream"])
    }

    // MARK: Rules

    /// The second is an example of Sweden's test data.
    @Test(arguments: [
        ("URN:UVCI:01:XA:INVENTED0001", "D"), ("URN:UVCI:01:SE:EHM/100000024GI5HMGZKSMS", "6"), ("", "A"),
    ])
    func checkCharacterFollowsFromTheIdentifier(_ identifier: String, _ character: String) {
        let found = IdentifierCheck.character(for: Array(identifier.utf8)[...])
        #expect(found == character.utf8.first)
        #expect(IdentifierCheck.problem(with: Array((identifier + "#" + character).utf8)[...]) == nil)
        for wrong in ["#", "#Z", "#\(character)\(character)", "a#A"] {
            #expect(IdentifierCheck.problem(with: Array((identifier + wrong).utf8)[...]) != nil, "\(wrong)")
        }
    }

    @Test func everyViolationOfTheSchemaIsFound() throws {
        let findings = try Self.findings(in: Array(try Self.text("claims-empty-map").utf8))
        #expect(
            findings.map(\.rule.id) == ["hcert-claim-error/iat", "hcert-claim-error/exp", "hcert-claim-error/hcert"])
        #expect(findings.map(\.path) == ["iat", "exp", "hcert"])
        let names = try Self.findings(in: Array(try Self.text("record-r-dates-time").utf8))
        #expect(names.filter { $0.rule.id == "dcc-schema-error/date" }.count > 1)
        #expect(names.compactMap(\.path).allSatisfy { $0.hasPrefix("r[0].") })
    }

    /// What `verify` refuses for its form is an error, and what it accepts without a warning has none.
    @Test func agreesWithVerification() throws {
        let folder = VectorFiles.folder.appendingPathComponent("hcert/cards").path
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".hc1") }.sorted()
        #expect(names.count > 500)
        let verifier = try HCERTVerifier(policy: HCERTPolicy(now: Self.now))
        let codes: Set = [
            "base45-error", "zlib-error", "cose-header-error", "hcert-claim-error", "dcc-schema-error",
            "icvp-schema-error", "hcert-link-error", "unsupported-credential",
        ]
        for name in names {
            let text = try Self.text(String(name.dropLast(4)))
            guard InputForm.begins(Array(text.utf8)[...], with: "hc1:"), !text.utf8.contains(0x0A) else { continue }
            let presented = PresentedCredential(
                text: Array(text.utf8), kind: .healthCertificate, form: .hc1, source: name)
            let findings = try Self.findings(in: Array(text.utf8))
            let errors = findings.filter { $0.severity == .error && codes.contains($0.code) }
            switch verifier.examine(presented).form {
            case .failure: #expect(!errors.isEmpty, "\(name)")
            case .success(let certificate):
                // A lint of its own: these are accepted without a word.
                let isOwn = errors.allSatisfy { error in
                    ["iss", "order", "prefix", "alg-protected"].contains(error.rule.name)
                        || error.code == "hcert-link-error"
                        || ["icvp-schema-error/product", "icvp-schema-error/issuer"].contains(error.rule.id)
                }
                let hasWarnings = !certificate.warnings.isEmpty
                #expect(isOwn || hasWarnings, "\(name): \(errors.map(\.message))")
            }
        }
    }

    // MARK: Limits

    @Test func inputEndsAtTheLimitForInflatedPayloads() throws {
        let large = try Self.text("zlib-four-mebibytes")
        let lines = [String](repeating: large, count: 20).joined(separator: "\n")
        let findings = try Self.findings(in: Array(lines.utf8))
        #expect(findings.contains { $0.rule.id == "input-too-large/bounds" && $0.card == 19 })
        #expect(!findings.contains { $0.card == 0 })
    }

    @Test func linesBeyondTheLimitAreAFinding() throws {
        let lines = [String](repeating: "HC1:", count: Bounds.lines + 1).joined(separator: "\n")
        #expect(try Self.findings(in: Array(lines.utf8)).contains { $0.rule.id == "input-too-large/bounds" })
    }

    /// Each byte of the message is changed in turn. The result must be findings or none, and never a crash.
    @Test(arguments: ["valid-cwt", "valid-cwt-tag-61"]) func changedOctetsAreFindings(_ name: String) throws {
        let octets = try Self.bytes("cards/\(name).cwt")
        var linter = try Linter(policy: try Self.policy())
        for index in octets.indices {
            for change in [0x01, 0x20, 0x80, 0xFF] as [UInt8] {
                var changed = octets
                changed[index] ^= change
                linter.add(changed, source: "\(index)", as: .cwt)
            }
        }
        #expect(linter.findings.contains { $0.severity == .error })
    }
}
