import CredentialReports
import Credentials
import Encodings
import FHIR
import Foundation
import SMARTHealthCards
import TestSupport
import Testing

/// Reports on Bundles of every shape. No Bundle makes a report fail, and no control character reaches the terminal.
@Suite struct VerdictReportTests {
    /// A verdict on an unsigned card with this Bundle.
    private func verdict(_ bundle: String) throws -> Verdict {
        let payload = Array(
            (#"{"iss":"https://issuer.example","nbf":1,"vc":{"type":["https://smarthealth.cards#health-card"],"#
                + #""credentialSubject":{"fhirVersion":"4.0.1","fhirBundle":"# + bundle + "}}}").utf8)
        var policy = CardPolicy(now: try #require(NumericDate(text: "2026-06-01T00:00:00Z")))
        policy.trustedIssuers.allow(Issuer(unchecked: "https://other.example"))
        let verifier = try CardVerifier(policy: policy)
        let card = verifier.examine(PresentedCredential(jws: UnsignedCard.jws(payload: payload), source: "test"))
        guard case .verdict(let verdict) = verifier.verify(card, with: EvidenceAnswers()) else {
            throw CancellationError()
        }
        return verdict
    }

    private static let tool = Tool(name: "test", version: "1")

    private static func report(_ format: VerdictFormat, _ destination: Destination) -> any Report<Verdict> {
        format.report(now: NumericDate(sinceEpoch: .zero), names: .builtIn, to: destination, by: tool)
    }

    private func reports(_ verdict: Verdict) -> [String] {
        var reports = [nil, 1, 20, 40, 80, 200].map { width in
            Self.report(.text, Destination(isTerminal: width != nil, width: width, isColoured: width == 80))
        }
        reports.append(Self.report(.json, Destination(isTerminal: true)))
        reports.append(Self.report(.html, Destination()))
        return reports.map { String(decoding: $0.text(of: [verdict]), as: UTF8.self) }
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
    func nothingControlsTheTerminal(_ text: String) throws {
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

    /// Penicillin alone would look like a medicine that is taken.
    @Test(arguments: [
        (#""AllergyIntolerance","code":{"text":"Penicillin"}"#, "Allergy: Penicillin"),
        (#""AllergyIntolerance","code":{"text":"Latex allergy"}"#, "Latex allergy"),
        (#""Device","type":{"text":"Pacemaker"}"#, "Device: Pacemaker"),
        (#""MedicationStatement","medicationCodeableConcept":{"text":"Amlodipine"}"#, "Medication: Amlodipine"),
        (#""Observation","code":{"coding":[{"system":"http://loinc.org","code":"94500-6"}]}"#, "COVID-19 PCR test"),
        (#""Observation","code":{"coding":[{"system":"http://loinc.org","code":"94558-4"}]}"#, "COVID-19 antigen test"),
        (#""Observation","code":{"coding":[{"system":"http://loinc.org","code":"1-8"}]}"#, "LOINC 1-8"),
        (
            #""Immunization","vaccineCode":{"coding":[{"system":"http://snomed.info/sct","code":"28581000087106"}]}"#,
            "COVID-19 vaccine"
        ),
        (
            #""Immunization","vaccineCode":{"coding":[{"system":"http://hl7.org/fhir/sid/cvx","code":"37"}]}"#,
            "Yellow fever"
        ),
        (#""Immunization","status":"not-done","vaccineCode":{"text":"Flu"}"#, "Flu     NOT DONE"),
        (#""Immunization","status":"entered-in-error","vaccineCode":{"text":"Flu"}"#, "Flu     ENTERED-IN-ERROR"),
    ]) func recordSaysWhatItIs(_ resource: String, words: String) throws {
        let bundle = #"{"resourceType":"Bundle","entry":[{"resource":{"resourceType":\#(resource)}}]}"#
        let report = Self.report(.text, Destination()).text(of: [try verdict(bundle)])
        let table = String(decoding: report, as: UTF8.self).components(separatedBy: "Record")[2]
        #expect(table.components(separatedBy: "\n")[1].hasPrefix("  \(words)"), "\(table)")
    }

    /// A name that is cut could be another one.
    @Test(arguments: [20, 40, 60, 80]) func namesInTablesAreNotCut(_ width: Int) throws {
        let words = (1...12).map { "word-\($0)" }
        let bundle =
            #"{"resourceType":"Bundle","entry":[{"resource":{"resourceType":"Immunization","status":"completed","#
            + #""lotNumber":"0123456789012345678901234567890123456789","occurrenceDateTime":"2021-01-01","#
            + #""vaccineCode":{"text":"\#(words.joined(separator: " "))"}}}]}"#
        let report = Self.report(.text, Destination(isTerminal: true, width: width)).text(of: [try verdict(bundle)])
        let table = String(decoding: report, as: UTF8.self).components(separatedBy: "\n\n")[2]
        for word in words { #expect(table.contains(word), "\(table)") }
        #expect(!table.contains("…"))
    }

    /// Replaces every value of a Bundle by every kind of value.
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

    @Test func headHasTheExitCodeOfTheFirstFailure() throws {
        let verdict = try verdict(#"{"resourceType":"Bundle"}"#)
        var report = Self.report(.json, Destination())
        var parts: [[UInt8]] = []
        try report.begin { parts.append($0) }
        #expect(parts.isEmpty)
        try report.add(verdict) { parts.append($0) }
        try report.add(verdict) { parts.append($0) }
        #expect(parts.count == 2, "a card is written as soon as the head is known")
        try report.finish { parts.append($0) }
        let document = try JSONDocument.parse(Array(parts.joined()))
        #expect(document["exitCode"]?.number?.integer == 13)
        #expect(document["cards"]?.elements?.count == 2)
    }

    @Test func onlyTheProgramNamesItsOptions() throws {
        let failure = VerificationFailure(.keysUnavailable, "no keys", isUnasked: true)
        var tool = Self.tool
        #expect(tool.message(of: failure) == "no keys")
        tool.keysRemedy = "give them with --keys"
        #expect(tool.message(of: failure) == "no keys; give them with --keys")
        #expect(tool.message(of: VerificationFailure(.keysUnavailable, "timeout")) == "timeout")
    }
}
