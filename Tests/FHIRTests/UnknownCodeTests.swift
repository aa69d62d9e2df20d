import JSON
import Testing

@testable import FHIR

/// Codes that no list has.
struct UnknownCodeTests {
    private static let covid19Type: UTF8Text = "https://smarthealth.cards#covid19"

    private static func contents(_ resources: String...) throws -> CardContents {
        let entries = resources.map { #"{"resource":\#($0)}"# }.joined(separator: ",")
        let patient = #"{"fullUrl":"resource:0","resource":{"resourceType":"Patient"}}"#
        let json = #"{"resourceType":"Bundle","type":"collection","entry":[\#(patient),\#(entries)]}"#
        return CardContents(FHIRBundle(try JSONDocument.parse(Array(json.utf8))), fhirVersion: "4.0.1")
    }

    private static func shot(_ codings: String..., date: String = "2026-01-05", more: String = "") -> String {
        #"""
        {"resourceType":"Immunization","status":"completed","patient":{"reference":"resource:0"},"occurrenceDateTime":"\#(date)"\#(more),
         "vaccineCode":{"coding":[\#(codings.joined(separator: ","))]}}
        """#
    }

    private static func test(_ code: String, category: String = "laboratory") -> String {
        #"""
        {"resourceType":"Observation","status":"final","subject":{"reference":"resource:0"},"effectiveDateTime":"2026-01-05",
         "category":[{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/observation-category","code":"\#(category)"}]}],
         "code":{"coding":[{"system":"http://loinc.org","code":"\#(code)"}]},"valueString":"x"}
        """#
    }

    private static func cvx(_ code: String) -> String { #"{"system":"http://hl7.org/fhir/sid/cvx","code":"\#(code)"}"# }
    private static let local = #"{"system":"urn:local","code":"FLU"}"#

    private enum Answer { case match, assumed, mismatch, unknown }

    private static func answer(
        _ contents: CardContents, _ types: [String] = ["covid19"], since: String? = nil, signed: [UTF8Text] = []
    ) throws -> Answer {
        switch try RecordQuery(recordTypes: types, since: since).answer(about: contents, signedTypes: signed) {
        case .match(let assumed): assumed.isEmpty ? .match : .assumed
        case .mismatch: .mismatch
        case .unknown: .unknown
        }
    }

    @Test func aRecordIsJudgedByItsKnownCodes() throws {
        #expect(try Self.answer(Self.contents(Self.shot(Self.cvx("309")))) == .match)
        #expect(try Self.answer(Self.contents(Self.shot(Self.cvx("140")))) == .mismatch)
        #expect(try Self.answer(Self.contents(Self.shot(Self.cvx("401")))) == .unknown)
        #expect(try Self.answer(Self.contents(Self.shot(Self.local))) == .unknown)
        #expect(try Self.answer(Self.contents(Self.shot(Self.local, Self.cvx("140")))) == .mismatch)
        #expect(try Self.answer(Self.contents(Self.shot(Self.local, Self.cvx("309")))) == .match)
        #expect(try Self.answer(Self.contents(Self.shot())) == .mismatch)
        #expect(try Self.answer(Self.contents(Self.test("94500-6"))) == .match)
        #expect(try Self.answer(Self.contents(Self.test("2345-7"))) == .unknown)
        #expect(try Self.answer(Self.contents(Self.test("2345-7", category: "vital-signs"))) == .mismatch)
    }

    @Test func theSignedTypeDecides() throws {
        let unknown = try Self.contents(Self.shot(Self.cvx("140")), Self.shot(Self.local, Self.cvx("401")))
        #expect(try Self.answer(unknown, signed: [Self.covid19Type]) == .assumed)
        #expect(try Self.answer(unknown, signed: ["#covid19", "https://smarthealth.cards#immunization"]) == .unknown)
        guard
            case .match(let assumed) = try RecordQuery(recordTypes: ["covid19"])
                .answer(about: unknown, signedTypes: [Self.covid19Type])
        else { return }
        #expect(assumed.map(\.path) == ["vc.credentialSubject.fhirBundle.entry[2].resource.vaccineCode.coding[0].code"])
        // A type does not make another vaccine one against COVID-19.
        #expect(try Self.answer(Self.contents(Self.shot(Self.cvx("140"))), signed: [Self.covid19Type]) == .mismatch)
    }

    @Test func onlyRecordsThatCountAreUnknown() throws {
        let notDone = Self.shot(Self.cvx("401")).replacing("completed", with: "entered-in-error")
        #expect(try Self.answer(Self.contents(notDone)) == .mismatch)
        let ofNobody = Self.shot(Self.cvx("401")).replacing("resource:0", with: "resource:9")
        #expect(try Self.answer(Self.contents(ofNobody)) == .mismatch)
        #expect(try Self.answer(Self.contents(Self.shot(Self.cvx("998")))) == .mismatch)
    }

    @Test func whatIsMissingForCertainIsSaidFirst() throws {
        let unknown = try Self.contents(Self.shot(Self.cvx("401")))
        #expect(try Self.answer(unknown, ["covid19", "laboratory"]) == .mismatch)
        #expect(try Self.answer(unknown, ["covid19", "immunization"]) == .unknown)
        #expect(try Self.answer(unknown, since: "2026") == .unknown)
        #expect(try Self.answer(unknown, since: "2027") == .mismatch)
        // One record is of the type, another in the interval of an unknown type.
        let both = try Self.contents(Self.shot(Self.cvx("309"), date: "2025-01-05"), Self.shot(Self.cvx("401")))
        #expect(try Self.answer(both, since: "2026") == .unknown)
        #expect(try Self.answer(both) == .match)
    }

    @Test func messagesNameTheCodeAndTheAgeOfTheList() throws {
        func words(_ resource: String) throws -> UnknownRecordType? {
            guard
                case .unknown(let unknown) = try RecordQuery(recordTypes: ["covid19"])
                    .answer(about: Self.contents(resource))
            else { return nil }
            return unknown
        }
        let vaccine = try #require(try words(Self.shot(Self.cvx("401"))))
        #expect(vaccine.description.contains("401"))
        #expect(vaccine.description.contains("http://hl7.org/fhir/sid/cvx"))
        #expect(vaccine.description.contains("2025-09-03"))
        #expect(!vaccine.impersonalDescription.contains("401"))
        #expect(vaccine.impersonalDescription.contains("2025-09-03"))
        #expect(try words(Self.shot(Self.local))?.description.contains("there is no list of that code system") == true)
        #expect(try words(Self.shot(#"{"code":"x"}"#))?.description.contains("names no code system") == true)
    }

    @Test func selectionHasThreeAnswers() throws {
        let contents = try Self.contents(
            Self.shot(Self.cvx("309")), Self.shot(Self.cvx("140")), Self.shot(Self.cvx("401")))
        let query = try RecordQuery(recordTypes: ["covid19"])
        #expect(contents.records.map { query.selection(of: $0) } == [.selected, .leftOut, .unknown])
        #expect(
            contents.records.map { query.selection(of: $0, signedTypes: [Self.covid19Type]) }
                == [.selected, .leftOut, .selected])
        let any = try RecordQuery(recordTypes: ["covid19", "immunization"])
        #expect(contents.records.map { any.selection(of: $0) } == [.selected, .selected, .selected])
        let later = try RecordQuery(recordTypes: ["covid19"], since: "2027")
        #expect(contents.records.map { later.selection(of: $0) } == [.leftOut, .leftOut, .leftOut])
    }
}
