import CredentialReports
import Credentials
import Encodings
import FHIR
import SMARTHealthCards
import TestSupport
import Testing
import VerificationTesting

/// What a report says of a card, every format says.
@Suite struct WarningFormatTests {
    private static let tool = Tool(name: "test", version: "1")

    /// A verified card with all warnings that there are: each kind of record that one may be about is on it.
    private static func verdict(_ now: NumericDate) throws -> Verdict {
        let issuer = try TestCardIssuer()
        var policy = CardPolicy(now: now)
        policy.trust(issuer)
        let coverage = { (period: String) in
            #"{"resource":{"resourceType":"Coverage","status":"active","beneficiary":{"reference":"resource:0"},"period":\#(period)}}"#
        }
        let bundle = """
            {"resourceType":"Bundle","type":"collection","entry":[
             {"fullUrl":"resource:0","resource":{"resourceType":"Patient","name":[{"text":"Ada One"}]}},
             \(coverage(#"{"end":"2001"}"#)),\(coverage(#"{"start":"2999"}"#)),
             {"resource":{"resourceType":"Immunization","lotNumber":"OF-NOBODY"}}]}
            """
        let card = try issuer.card(
            of: Array(bundle.utf8), issued: NumericDate(sinceEpoch: now.sinceEpoch - .seconds(3600)))
        let presented = PresentedCredential(
            text: Array(card.jws.utf8), kind: .smartHealthCard, form: .jws, source: "card",
            warnings: CredentialWarning.Code.allCases.filter { $0 != .recordWithoutSubject }.map {
                CredentialWarning($0, "words of \($0.rawValue)")
            })
        let verifier = try CardVerifier(policy: policy)
        guard case .verdict(let verdict) = verifier.verify(verifier.examine(presented), with: EvidenceAnswers()) else {
            throw CancellationError()
        }
        return verdict
    }

    @Test func everyFormatHasEveryWarning() throws {
        let now = NumericDate.now
        let time = VerificationTime(madeAt: now)
        let verdict = try Self.verdict(now)
        let claims = try #require(verdict.verified?.claims)
        let contents = try #require(CardContents(claims, names: .builtIn, at: now))
        var outputs: [(name: String, text: String)] = []
        for format in [VerdictFormat.text, .json, .html] {
            let report = format.report(time: time, names: .builtIn, to: Destination(), by: Self.tool)
            outputs.append(("verify \(format)", String(decoding: report.text(of: [verdict]), as: UTF8.self)))
        }
        for format in RecordsFormat.allCases {
            let report = format.report(time: time, to: Destination(), by: Self.tool)
            let card = CardRecords(contents.records, of: verdict, subjects: contents.subjects)
            outputs.append(("records \(format)", String(decoding: report.text(of: [card]), as: UTF8.self)))
        }
        var lines = CardLineJSON(
            CardJSON(names: .builtIn, tool: Self.tool, hasBundle: false, isLine: true), escapesUnprintable: false)
        var line: [UInt8] = []
        lines.write(verdict, number: 1, id: nil, of: nil, at: time, to: &line)
        outputs.append(("batch", String(decoding: line, as: UTF8.self)))
        for (name, text) in outputs {
            for code in CredentialWarning.Code.allCases {
                #expect(text.contains(code.rawValue), "\(name) does not have \(code.rawValue)")
            }
        }
    }

    /// A program that reads one record is not told what is only wrong with another.
    @Test func recordHasItsOwnWarnings() throws {
        let now = NumericDate.now
        let verdict = try Self.verdict(now)
        let contents = try #require(verdict.claims.flatMap { CardContents($0, names: .builtIn, at: now) })
        let card = CardRecords(contents.records, of: verdict, subjects: contents.subjects)
        let report = RecordsFormat.ndjson.report(now: now, to: Destination(), by: Self.tool)
        let lines = report.text(of: [card]).split(separator: UInt8(ascii: "\n"))
        let own: Set<UTF8Text> = [
            "record-expired", "record-not-yet-valid", "coverage-not-in-force", "record-without-subject",
        ]
        let found = try lines.map { line in
            let codes = try JSONDocument.parse(Array(line))["warnings"]?.elements?.compactMap(\.string) ?? []
            #expect(codes.contains("test-list") && Set(codes).count == codes.count)
            return codes.filter { own.contains($0) }.sorted { $0.description < $1.description }
        }
        #expect(
            found == [
                ["coverage-not-in-force", "record-expired"], ["coverage-not-in-force", "record-not-yet-valid"],
                ["record-without-subject"],
            ])
    }

    @Test func csvEndsWithTheWarnings() throws {
        let now = NumericDate.now
        let verdict = try Self.verdict(now)
        let contents = try #require(verdict.claims.flatMap { CardContents($0, names: .builtIn, at: now) })
        let report = RecordsFormat.csv.report(now: now, to: Destination(), by: Self.tool)
        let card = CardRecords(contents.records, of: verdict, subjects: contents.subjects)
        let text = String(decoding: report.text(of: [card]), as: UTF8.self)
        let lines = text.split(separator: "\r\n")
        #expect(lines.first?.hasSuffix(",absent,notCounted,trust,warnings") == true)
        #expect(lines.count > 3 && lines.dropFirst().allSatisfy { $0.contains("test-list") && $0.hasSuffix("\"") })
    }
}
