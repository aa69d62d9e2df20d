import Encodings
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

    enum Answer { case match, assumed, mismatch, unknown }

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

    /// A list that has one of its codes, and does not tell what it is about, does not leave the answer to the card.
    @Test func theSignedTypeDoesNotDecideAboutACodeOfAList() throws {
        var names = CodeNames.builtIn
        let list = #"{"resourceType":"CodeSystem","url":"urn:local","concept":[{"code":"FLU","display":"Influenza"}]}"#
        try names.add(fhirJSON: Array(list.utf8))
        let other = #"{"system":"urn:local","code":"NEW"}"#
        let query = try RecordQuery(recordTypes: ["covid19"])
        let signed = [Self.covid19Type]
        for shot in [Self.shot(Self.local), Self.shot(other, Self.local), Self.shot(Self.local, other)] {
            let contents = try Self.contents(shot)
            guard case .unknown(let type) = query.answer(about: contents, signedTypes: signed, names: names) else {
                Issue.record("\(shot)")
                continue
            }
            #expect(type.unknown.isListed && type.unknown.code.code == "FLU")
            #expect(query.selections(in: contents, signedTypes: signed, names: names) == [.unknown])
        }
        let unlisted = try Self.contents(Self.shot(other))
        #expect(query.selections(in: unlisted, signedTypes: signed, names: names) == [.selected])
    }

    /// A known record about COVID-19 explains the card's type, whatever its date, and whether it counts or not.
    @Test func aKnownRecordExplainsTheSignedType() throws {
        let old = Self.shot(Self.cvx("208"), date: "2021-02-01")
        let new = Self.shot(Self.local, date: "2026-01-05")
        let signed = [Self.covid19Type]
        let both = try Self.contents(old, new)
        #expect(try Self.answer(both, since: "2025", signed: signed) == .unknown)
        #expect(try Self.answer(both, since: "2021", signed: signed) == .match)
        #expect(try Self.answer(both, signed: signed) == .match)
        #expect(try Self.answer(Self.contents(new), since: "2025", signed: signed) == .assumed)
        // Nothing in the interval is unknown.
        let flu = Self.shot(Self.cvx("140"))
        #expect(try Self.answer(Self.contents(old, flu), since: "2025", signed: signed) == .mismatch)
        let oldUnknown = Self.shot(Self.local, date: "2022-01-05")
        #expect(try Self.answer(Self.contents(old, oldUnknown, flu), since: "2025", signed: signed) == .mismatch)
        for changed in [
            old.replacing("completed", with: "entered-in-error"), old.replacing("resource:0", with: "resource:9"),
            Self.test("94500-6"),
        ] {
            #expect(try Self.answer(Self.contents(changed, new), since: "2026-01-05", signed: signed) != .assumed)
        }
        let query = try RecordQuery(recordTypes: ["covid19"], since: "2025")
        #expect(query.selections(in: both, signedTypes: signed) == [.leftOut, .unknown])
        #expect(try query.selections(in: Self.contents(new), signedTypes: signed) == [.selected])
    }

    @Test func thePathIsThatOfTheCode() throws {
        func path(_ resource: String) throws -> String? {
            guard
                case .unknown(let unknown) = try RecordQuery(recordTypes: ["covid19"])
                    .answer(about: Self.contents(resource))
            else { return nil }
            return unknown.unknown.path.replacing("vc.credentialSubject.fhirBundle.entry[1].resource.", with: "")
        }
        #expect(try path(Self.shot(#"{"display":"x"}"#, Self.cvx("401"))) == "vaccineCode.coding[1].code")
        #expect(try path(Self.shot("5", "{}", Self.cvx("401"))) == "vaccineCode.coding[2].code")
        #expect(try path(Self.shot(Self.local)) == "vaccineCode.coding[0].code")
        let one = Self.shot(Self.local).replacing("[\(Self.local)]", with: Self.local)
        #expect(try path(one) == "vaccineCode.coding.code")
        #expect(
            try path(Self.shot(Self.local).replacing(#"{"coding":[\#(Self.local)]}"#, with: Self.local))
                == "vaccineCode.code")
        #expect(try path(Self.test("2345-7")) == "code.coding[0].code")
        let coded =
            #"{"code":{"coding":[{"display":"x"},{"system":"http://loinc.org","code":"2345-7"}]},"valueString":"x"}"#
        let panel = Self.test("2345-7")
            .replacing(#"{"coding":[{"system":"http://loinc.org","code":"2345-7"}]}"#, with: #"{"text":"panel"}"#)
            .replacing(
                #""valueString":"x""#, with: #""component":[{"valueString":"y"},{"code":{"text":"z"}},\#(coded)]"#)
        #expect(try path(panel) == "component[2].code.coding[1].code")
    }

    @Test(arguments: [
        ("yellow-fever", "37", Answer.match), ("yellow-fever", "183", .match), ("yellow-fever", "10", .mismatch),
        ("yellow-fever", "309", .mismatch), ("yellow-fever", "401", .unknown), ("polio", "10", .match),
        ("polio", "2", .match),
        ("polio", "120", .match), ("polio", "324", .match), ("polio", "37", .mismatch), ("polio", "110", .match),
        ("polio", "20", .mismatch), ("polio", "401", .unknown), ("covid19", "10", .mismatch),
    ])
    func otherDiseasesAreJudgedInTheSameWay(_ type: String, _ code: String, _ answer: Answer) throws {
        let contents = try Self.contents(Self.shot(Self.cvx(code)))
        // No member of `vc.type` is about them.
        let signed: [UTF8Text] = [
            Self.covid19Type, "https://smarthealth.cards#polio", "https://smarthealth.cards#yellow-fever",
        ]
        #expect(try Self.answer(contents, [type], signed: type == "covid19" ? [] : signed) == answer)
    }

    @Test func allVaccinesAgainstYellowFeverAndPolioAreKnown() throws {
        for (type, codes) in [
            ("yellow-fever", ["37", "183", "184"]),
            ("polio", ["02", "10", "89", "110", "120", "130", "132", "146", "170", "178", "179", "182", "195"]),
        ] {
            for code in codes {
                #expect(try Self.answer(Self.contents(Self.shot(Self.cvx(code))), [type]) == .match, "\(code)")
            }
        }
        for (type, code) in [("yellow-fever", "XM0N24"), ("polio", "XM9JP8"), ("polio", "1C81")] {
            let coding = #"{"system":"http://id.who.int/icd11/mms","code":"\#(code)"}"#
            #expect(try Self.answer(Self.contents(Self.shot(coding)), [type]) == .match, "\(code)")
            #expect(try Self.answer(Self.contents(Self.shot(coding))) == .mismatch, "\(code)")
        }
        // Only a vaccination counts, and only one that was completed.
        let shot = Self.shot(Self.cvx("37"), more: #","isSubpotent":true"#)
        #expect(try Self.answer(Self.contents(shot), ["yellow-fever"]) == .mismatch)
        #expect(try Self.answer(Self.contents(Self.test("2345-7")), ["polio"]) == .mismatch)
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
        #expect(try words(Self.shot(Self.local))?.description.contains("there is no list of that code system") == true)
        let long = String(repeating: "9", count: 100)
        let hostile = try #require(try words(Self.shot(#"{"system":"urn:\#(long)","code":"a\n::b\#(long)"}"#)))
        #expect(!hostile.description.contains("\n") && hostile.description.utf8.count < 300)
        #expect(try words(Self.shot(#"{"code":"x"}"#))?.description.contains("names no code system") == true)
    }

    @Test func selectionHasThreeAnswers() throws {
        let contents = try Self.contents(
            Self.shot(Self.cvx("309")), Self.shot(Self.cvx("140")), Self.shot(Self.cvx("401")))
        let query = try RecordQuery(recordTypes: ["covid19"])
        #expect(query.selections(in: contents) == [.selected, .leftOut, .unknown])
        let signed = [Self.covid19Type]
        // The known record is why the card has the type.
        #expect(query.selections(in: contents, signedTypes: signed) == [.selected, .leftOut, .unknown])
        let others = try Self.contents(Self.shot(Self.cvx("140")), Self.shot(Self.cvx("401")))
        #expect(query.selections(in: others, signedTypes: signed) == [.leftOut, .selected])
        let any = try RecordQuery(recordTypes: ["covid19", "immunization"])
        #expect(any.selections(in: contents) == [.selected, .selected, .selected])
        let later = try RecordQuery(recordTypes: ["covid19"], since: "2027")
        #expect(later.selections(in: contents) == [.leftOut, .leftOut, .leftOut])
    }
}
