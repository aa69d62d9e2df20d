import Deflate
import FHIR
import Foundation
import JSON
import SMARTHealthCards
import Testing

@testable import shcverify

/// Reports on Bundles of every shape: none makes a report fail, and nothing in one reaches the terminal as it is.
@Suite struct ReportTests {
    /// A verdict on a card with this Bundle, which nobody has signed.
    private func verdict(_ bundle: String) throws -> Verdict {
        let payload = Array(
            (#"{"iss":"https://issuer.example","nbf":1,"vc":{"type":["https://smarthealth.cards#health-card"],"#
                + #""credentialSubject":{"fhirVersion":"4.0.1","fhirBundle":"# + bundle + "}}}").utf8)
        let card = ExaminedCard(
            PresentedCard(jws: UnsignedCard.jws(payload: payload), source: "test"), inflater: try Inflater())
        var policy = VerificationPolicy(now: try #require(NumericDate(text: "2026-06-01T00:00:00Z")))
        policy.trustedIssuers.allow(Issuer(unchecked: "https://other.example"))
        guard case .verdict(let verdict) = Verifier(policy: policy).verify(card, with: Evidence()) else {
            throw CancellationError()
        }
        return verdict
    }

    private func reports(_ verdict: Verdict) -> [String] {
        var reports: [any VerificationReport] = [nil, 1, 20, 40, 80, 200].map { width in
            TextReport(palette: Palette(isOn: width == 80), names: .builtIn, width: width)
        }
        reports.append(
            JSONReport(now: NumericDate(sinceEpoch: .zero), names: .builtIn, escapesUnprintable: true))
        return reports.map { report in
            var report = report
            return String(decoding: report.add(verdict) + report.finish(), as: UTF8.self)
        }
    }

    private static let immunization =
        #"{"resourceType":"Immunization","status":"completed","vaccineCode":{"coding":[{"system":"http://hl7.org/fhir/sid/cvx","code":"207"}]},"occurrenceDateTime":"2021-01-01","performer":[{"actor":{"display":"ABC"}}],"lotNumber":"1"}"#

    @Test func threeHundredRecordsAreAllShown() throws {
        let entries = (0..<300).map { _ in #"{"resource":\#(Self.immunization)}"# }.joined(separator: ",")
        for report in reports(try verdict(#"{"resourceType":"Bundle","entry":[\#(entries)]}"#)) {
            #expect(report.components(separatedBy: "2021-01-01").count > 300)
        }
    }

    @Test(arguments: ["محمد علي", "王小明", "Zoe\u{301}", "Nguyễn Thị", "👩‍⚕️", "ก็"]) func namesOfAllScriptsAreShown(
        _ name: String
    ) throws {
        let bundle =
            #"{"resourceType":"Bundle","entry":[{"resource":{"resourceType":"Patient","name":[{"text":"\#(name)"}]}}]}"#
        for report in reports(try verdict(bundle)) { #expect(report.contains(name)) }
    }

    @Test(arguments: ["\\u001b[2J", "\u{9B}31m", "\u{202E}evil", "\\u0007", "a\\nPASS", "\\r\\rPASS", "\u{2028}PASS"])
    func nothingSteersTheTerminal(_ text: String) throws {
        let bundle =
            #"{"resourceType":"Bundle","entry":[{"resource":{"resourceType":"Patient","name":[{"text":"\#(text)"}],"birthDate":"\#(text)"}},{"resource":{"resourceType":"Immunization","status":"\#(text)","lotNumber":"\#(text)","vaccineCode":{"text":"\#(text)"},"occurrenceDateTime":"\#(text)"}}]}"#
        for report in reports(try verdict(bundle)) {
            let plain = report.replacingOccurrences(
                of: "\u{1B}\\[[0-9;]*m", with: "", options: .regularExpression)
            #expect(
                !plain.unicodeScalars.contains { "\u{1B}\u{9B}\u{202E}\u{7}\r\u{2028}".unicodeScalars.contains($0) })
            #expect(!plain.split(separator: "\n").contains { $0.hasPrefix("PASS") })
        }
    }

    /// Every value of a Bundle replaced by every kind of value.
    @Test func noBundleMakesAReportFail() throws {
        let bundle = #"{"resourceType":"Bundle","entry":[{"fullUrl":"resource:0","resource":\#(Self.immunization)}]}"#
        let replacements = ["null", "[]", "{}", "1e400", "true", #""""#, #"["x",{}]"#, #"{"coding":{"code":1}}"#]
        let root = try JSONDocument.parse(Array(bundle.utf8))
        var values = [root]
        var all: [JSONValue] = []
        while let value = values.popLast() {
            all.append(value)
            if let elements = value.elements { values += Array(elements) }
            if let members = value.members { values += members.map(\.value) }
        }
        for value in all where value.byteRange != root.byteRange {
            for replacement in replacements {
                var text = Array(bundle.utf8)
                text.replaceSubrange(value.byteRange, with: Array(replacement.utf8))
                let changed = String(decoding: text, as: UTF8.self)
                guard let verdict = try? verdict(changed) else { continue }
                for report in reports(verdict) { #expect(!report.isEmpty) }
            }
        }
    }
}
