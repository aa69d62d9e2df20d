import Credentials
import SMARTHealthCards
import TestSupport
import Testing

@testable import Conformance

/// The linter as a whole.
@Suite struct LinterTests {
    private func findings(in inputs: [[UInt8]], as kind: InputForm? = nil) throws -> [Finding] {
        var linter = try Linter(policy: LintPolicy(now: NumericDate(sinceEpoch: .seconds(1_780_272_000))))
        for (number, input) in inputs.enumerated() { linter.add(input, source: "input-\(number)", as: kind) }
        linter.finishReading()
        _ = linter.judge(with: EvidenceAnswers())
        return linter.findings
    }

    @Test func rejectsInputsThatAreTooLarge() throws {
        let jws = Array("eyJ.".utf8) + [UInt8](repeating: 0x41, count: Bounds.jwsSize) + Array(".A".utf8)
        #expect(try findings(in: [jws]).map(\.rule.id) == ["input-too-large/bounds"])
        let text = [UInt8](repeating: 0x7B, count: Bounds.inputSize + 1)
        #expect(try findings(in: [text], as: .payload).map(\.rule.id) == ["input-too-large/bounds"])
    }

    @Test func reportsThatCardsWereNotRead() throws {
        let cards = [String](repeating: "\"\"", count: Bounds.cards + 1).joined(separator: ",")
        let file = #"{"verifiableCredential":[\#(cards)]}"#
        #expect(try findings(in: [Array(file.utf8)]).contains { $0.rule.id == "input-too-large/bounds" })
        let lines = [String](repeating: "shc:/1", count: Bounds.lines + 1).joined(separator: "\n")
        #expect(try findings(in: [Array(lines.utf8)]).contains { $0.rule.id == "input-too-large/bounds" })
    }

    /// Whether a type applies is asked of all records, but once for each topic and not for each element of `vc.type`.
    @Test func manyTypesAndRecordsEndSoon() throws {
        let types = String(repeating: #","https://smarthealth.cards#covid19""#, count: 8_000)
        let entries = (0..<4_000).map { #"{"fullUrl":"resource:\#($0)","resource":{"resourceType":"Observation"}}"# }
        let payload =
            #"{"iss":"https://a.example","nbf":1,"vc":{"type":["https://smarthealth.cards#health-card"\#(types)],"credentialSubject":"#
            + #"{"fhirVersion":"4.0.1","fhirBundle":{"resourceType":"Bundle","type":"collection","entry":["#
            + entries.joined(separator: ",") + "]}}}}"
        let time = try processorTime {
            let found = try findings(in: [Array(payload.utf8)], as: .payload)
            #expect(found.contains { $0.rule.id == "schema-error/inapplicable-type" })
        }
        #expect(time < .seconds(300), "\(time)")
    }

    /// A form for which the linter makes no check would always be found in order.
    @Test(arguments: InputForm.linted) func checksInputsOfEveryForm(_ form: InputForm) throws {
        let faulty = Array((form.isJSON ? #"{"x":1}"# : "x").utf8)
        #expect(try findings(in: [faulty], as: form).contains { $0.layer != .input })
    }

    @Test func limitsSizeByTheFormOfTheInput() throws {
        let padding = String(repeating: " ", count: Bounds.keySetSize)
        let set = Array(#"{"keys":[\#(padding)]}"#.utf8)
        #expect(try findings(in: [set]).map(\.rule.id) == ["input-too-large/bounds"])
    }

    @Test func limitsFindingsOfOneRule() throws {
        let types = (0..<5000).map { "\"t\($0)\"" }.joined(separator: ",")
        let payload = #"{"iss":"https://i.example","nbf":1,"vc":{"type":[\#(types)],"credentialSubject":{}}}"#
        let unknown = try findings(in: [Array(payload.utf8)]).filter { $0.rule.id == "schema-error/unknown-type" }
        #expect(unknown.count == Linter.findingsOfRule + 1)
        #expect(unknown.last?.message == "left out: 4980 more findings of the rule schema-error/unknown-type")
    }

    @Test func findingHasItsPlaceInPrettyPrintedInput() throws {
        let payload = "{\n  \"iss\": \"https://i.example/\",\n  \"nbf\": 1,\n  \"vc\": {}\n}"
        let finding = try #require(try findings(in: [Array(payload.utf8)]).first { $0.code == "invalid-issuer-url" })
        #expect(finding.path == "iss")
        #expect(finding.offset == 11)
        #expect(finding.line == 2)
        #expect(finding.column == 10)
        #expect(finding.isInInput)
    }

    @Test func namesTheMissingPath() throws {
        let finding = try #require(
            try findings(in: [Array(#"{"iss":"https://i.example","vc":{"type":[]}}"#.utf8)]).first {
                $0.rule.id == "schema-error/credential-subject"
            })
        #expect(finding.path == "vc.credentialSubject")
    }

    /// Inputs of the vectors with bytes changed, removed and inserted, linted as different forms of input.
    @Test func mutatedInputNeverCrashes() throws {
        var random = SeededGenerator(seed: 0x5348_4331)
        let files = RuleVector.all.flatMap(\.files)
        for round in 0..<1500 {
            var bytes = try RuleVector.bytes(files[Int(random.next() % UInt64(files.count))])
            for _ in 0...Int(random.next() % 4) where !bytes.isEmpty {
                let place = Int(random.next() % UInt64(bytes.count))
                switch random.next() % 4 {
                case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(#"{}[]",:.-\/0"#.utf8.randomElement(using: &random) ?? 0, at: place)
                default: bytes.replaceSubrange(place..., with: bytes.prefix(place))
                }
            }
            let kind = round.isMultiple(of: 3) ? InputForm.linted.randomElement(using: &random) : nil
            for finding in try findings(in: [bytes], as: kind) {
                #expect(finding.message.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
            }
        }
    }
}
