import CredentialReports
import Credentials
import FHIR
import Foundation
import StrictJSON
import Testing
import VerificationTesting

/// The JSON report as a value. `VectorTests` compares it with the report on every vector.
@Suite struct VerdictReportValueTests {
    private static let tool = Tool(name: "test", version: "1")

    private static func report(on verdicts: [Verdict]) throws -> VerdictReport {
        try VerdictReport(on: verdicts, now: NumericDate(sinceEpoch: .zero), by: tool)
    }

    private static func printed(_ verdicts: [Verdict]) throws -> [UInt8] {
        VerdictFormat.json.report(now: NumericDate(sinceEpoch: .zero), names: .builtIn, to: Destination(), by: tool)
            .text(of: verdicts)
    }

    private static func dictionary(_ json: some Sequence<UInt8>) throws -> NSDictionary? {
        try JSONSerialization.jsonObject(with: Data(json)) as? NSDictionary
    }

    @Test(arguments: ReasonCode.allCases) func encodesAsTheReport(_ code: ReasonCode) throws {
        let verdicts = [try TestVerdict.pass(), try TestVerdict.failing(code)]
        let report = try Self.report(on: verdicts)
        let printed = try #require(try Self.dictionary(Self.printed(verdicts)))
        #expect(try Self.dictionary(JSONEncoder().encode(report)) == printed)
        #expect(report.exitCode == Int(code.exitCode))
        #expect(report.cards.map(\.claimsVerified) == [true, false])
        #expect(report.cards[1].reason?.code == code.rawValue)
    }

    @Test func hasTheMembersAsTypes() throws {
        let card = try #require(try Self.report(on: [TestVerdict.pass()]).cards.first)
        #expect(card.verdict == .pass && card.reason == nil && card.claimsVerified)
        #expect(card.checks.map(\.name) == Check.Name.allCases.map(\.rawValue))
        #expect(card.checks.first?.status == .pass)
        #expect(card.subject?.birthDate == "1980-02-29")
        #expect(card.records?.first?.codes.first?.code == "207")
        #expect(card.issued.flatMap { NumericDate(text: $0) } != nil)
        #expect(card.certificate == nil && card.issuer.country == nil)
        guard case .string("Bundle") = card.fhirBundle?["resourceType"] else {
            Issue.record("the Bundle has no type")
            return
        }
    }

    /// Members that may be null stay, and those that a card does not have stay away.
    @Test func keepsNullAndAbsentApart() throws {
        let text = String(decoding: try JSONEncoder().encode(Self.report(on: [TestVerdict.pass()])), as: UTF8.self)
        #expect(text.contains(#""reason":null"#) && text.contains(#""expires":null"#))
        #expect(
            !text.contains(#""country":null,"trust""#) && !text.contains(#""links""#) && !text.contains(#""places""#))
        #expect(!text.contains(#""why""#) || text.contains(#""why":"not-"#))
    }

    @Test(arguments: [
        (#""schemaVersion": 1"#, #""schemaVersion": 2"#), (#""verdict": "pass""#, #""verdict": "perhaps""#),
        (#""exitCode": 0"#, #""exitCode": "0""#), (#""exitCode": 0"#, #""exitCode": 1e99"#),
        (#""checks": ["#, #""others": ["#),
        (#""claimsVerified": true"#, #""claimsVerified": true, "claimsVerified": true"#),
        (#""cards": ["#, #""cards": [1, "#),
        (#""reason": null,"#, ""),
    ])
    func refusesWhatIsNoReport(_ words: String, _ others: String) throws {
        let text = String(decoding: try Self.printed([TestVerdict.pass()]), as: UTF8.self)
        #expect(throws: Never.self) { try VerdictReport(reading: Array(text.utf8)) }
        let changed = text.replacing(words, with: others)
        #expect(changed != text)
        #expect(throws: VerdictReportError.self) { try VerdictReport(reading: Array(changed.utf8)) }
    }

    /// A newer program may have more members.
    @Test func skipsMembersThatItDoesNotKnow() throws {
        let text = String(decoding: try Self.printed([TestVerdict.pass()]), as: UTF8.self)
        let more = text.replacing(#""claimsVerified": true"#, with: #""claimsVerified": true, "newer": {"a": []}"#)
        #expect(try VerdictReport(reading: Array(more.utf8)).cards.count == 1)
    }

    /// A Bundle of a stranger may have any numbers and names. No encoder fails on it.
    @Test func numbersOfABundleAreEncoded() throws {
        let bundle =
            #"{"resourceType":"Bundle","a":[1,-2.50,1e2,1e400,-1e400,9007199254740993,true,null,"#
            + #"{"é":1}]}"#
        let report = try Self.report(on: [TestVerdict.pass(Array(bundle.utf8))])
        let encoded = try JSONDocument.parse(Array(try JSONEncoder().encode(report)))
        let numbers =
            encoded["cards"]?.elements?.first { _ in true }?["fhirBundle"]?["a"]?.elements.map { Array($0) } ?? []
        #expect(numbers.count == 9)
        #expect(numbers[1].number?.double == -2.5 && numbers[2].number?.double == 100)
        #expect(numbers[3].number?.double == .greatestFiniteMagnitude)
        #expect(numbers[5].number?.integer == 9_007_199_254_740_993)
        #expect(numbers[7].isNull)
    }
}
