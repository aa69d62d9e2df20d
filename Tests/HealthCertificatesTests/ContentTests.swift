import Credentials
import Encodings
import FHIR
import TestSupport
import Testing

@testable import HealthCertificates

/// The content of a certificate, compared with the schema (P4 to P8, P11).
@Suite struct ContentTests {
    private func expectMalformed(
        _ certificate: MadeHCERT, _ words: String, as code: ReasonCode = .malformedPayload,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let failure = try certificate.failure()
        #expect(failure?.code == code, sourceLocation: location)
        #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "accepted")", sourceLocation: location)
    }

    // MARK: P4

    @Test(
        arguments: [
            ([:], "it is empty"), ([3: [:]], "DDCC"), ([4: [:]], "test result of WHO's DDCC"), ([2: [:]], "RACSEL"),
            (["1": [:]], "under the key \"1\""), ([1.0: [:]], "under the key 1.0"), ([.bytes([1]): [:]], "byte string"),
        ] as [(MadeCBOR, String)])
    func namesOtherContent(_ claim: MadeCBOR, _ words: String) throws {
        // A kind that is known by its key is named. Anything else is no content of a certificate.
        let isKnown = words.contains("DDCC") || words.contains("RACSEL")
        try expectMalformed(.with { $0.claim = claim }, words, as: isKnown ? .unsupportedCredential : .malformedPayload)
    }

    @Test(arguments: ["x", 1, [], .bytes([0xA0]), [[1: [:]]], .tag(0, [:])] as [MadeCBOR])
    func claimAndContentAreMaps(_ value: MadeCBOR) throws {
        try expectMalformed(.with { $0.claim = value }, "claim -260) must be a map")
        try expectMalformed(.with { $0.claim = [1: value] }, "(key 1) must be a map")
    }

    @Test(
        arguments: [
            ([1: [:], -6: [:], 5: "x"], 1), ([5: "x", -6: [:]], -6), ([5: "x", 3: [:]], 5), (["5": "x"], 5),
            ([1: [:], "5": "x"], 1), (["1": [:], "5": "x"], 5),
        ] as [(MadeCBOR, Int64)])
    func firstContentThatIsThereDecidesTheKind(_ claim: MadeCBOR, _ number: Int64) throws {
        #expect(try MadeHCERT.with { $0.claim = claim }.examined().decoded?.content?.kind.number == number)
    }

    @Test func eachKindHasANumberANameAndSignersOfItsOwn() {
        #expect(Set(HealthContentKind.all.map(\.number)).count == HealthContentKind.all.count)
        #expect(Set(HealthContentKind.all.map(\.sourceType)).count == HealthContentKind.all.count)
        #expect(HealthContentKind.all.allSatisfy { !$0.domains.isEmpty })
        // Only the EU's content was there before lists had domains.
        #expect(HealthContentKind.all.filter(\.isOfListsWithoutDomains).map(\.number) == [1])
        #expect(HealthContentKind.all.filter(\.isLenient).map(\.number) == [5])
    }

    @Test func warnsOfContentBesideThatOfTheEU() throws {
        let content = MadeHCERT().madeContent
        #expect(
            try MadeHCERT.with { $0.claim = [5: "shlink:/", 1: content] }.warnings() == ["other-health-content"])
    }

    @Test(arguments: [
        ("1.0.0", true), ("1.3.0", true), ("1.30.9999", true), ("1.3", false), ("1.3.0.0", false), ("2.0.0", false),
        ("1.3.x", false), ("1..0", false), ("1.3.00000", false), ("", false), ("01.3.0", false), ("1.3.0 ", false),
    ])
    func warnsOfOtherVersions(_ version: String, _ isKnown: Bool) throws {
        let warnings = try MadeHCERT.with { $0.content = ["ver": .text(version)] }.warnings()
        #expect(warnings == (isKnown ? [] : ["schema-version ver"]))
    }

    @Test(arguments: ["ver", "nam", "dob"], [MadeHCERT.absent, nil, 1, [1], false])
    func requiresVersionNamesAndBirth(_ name: String, _ value: MadeCBOR) throws {
        try expectMalformed(.with { $0.content = [name: value] }, name)
    }

    // MARK: P5, P6

    @Test func requiresATransliteratedName() throws {
        let absent = MadeHCERT.absent
        #expect(try MadeHCERT.with { $0.names = ["fnt": absent] }.warnings().isEmpty)
        #expect(try MadeHCERT.with { $0.names = ["gnt": absent] }.warnings().isEmpty)
        #expect(try MadeHCERT.with { $0.names = ["fn": nil, "gn": nil, "gnt": nil] }.warnings().isEmpty)
        try expectMalformed(.with { $0.names = ["fnt": absent, "gnt": absent] }, "no transliterated name")
        try expectMalformed(.with { $0.names = ["fnt": nil, "gnt": nil] }, "no transliterated name")
    }

    @Test(arguments: ["fn", "gn", "fnt", "gnt"]) func namesAreTexts(_ name: String) throws {
        for value in [1, [], .bytes([0x41]), true, .tag(0, "A")] as [MadeCBOR] {
            try expectMalformed(.with { $0.names = [name: value] }, "nam.\(name) must be a text")
        }
        let long = { (count: Int) in
            MadeHCERT.Members(dictionaryLiteral: (name, .text(String(repeating: "A", count: count))))
        }
        #expect(try MadeHCERT.with { $0.names = long(80) }.warnings().isEmpty)
        #expect(try MadeHCERT.with { $0.names = long(81) }.warnings() == ["schema-error nam.\(name)"])
        // 80 characters, not bytes.
        if name.count == 2 {
            let wide = MadeCBOR.text(String(repeating: "𝄞", count: 80))
            #expect(try MadeHCERT.with { $0.names = [name: wide] }.warnings().isEmpty)
        }
    }

    @Test(arguments: ["Muster", "MÜLLER", "A B", "A-B", "1"]) func warnsOfOtherTransliterations(_ name: String) throws {
        #expect(try MadeHCERT.with { $0.names = ["fnt": .text(name)] }.warnings() == ["schema-error nam.fnt"])
        #expect(try MadeHCERT.with { $0.names = ["fn": .text(name)] }.warnings().isEmpty)
    }

    @Test(
        arguments: [
            ("1979-04-14", true, "1979-04-14"), ("1979-04", true, "1979-04"), ("1979", true, "1979"), ("", true, nil),
            ("1979-04-14T00:00:00", false, "1979-04-14"), (" 1979-04-14 ", false, "1979-04-14"),
            ("14.04.1979", false, nil),
            ("1979-13-01", false, nil), ("1979-02-30", false, nil), ("79", false, nil),
            ("1979-04-14T", false, "1979-04-14"),
            ("1979-04-14 x", false, nil), ("0000-00-00", false, nil),
        ] as [(String, Bool, String?)])
    func readsDatesOfBirth(_ date: String, _ isAsInSchema: Bool, _ shown: String?) throws {
        for value in [MadeCBOR.text(date), .tag(1004, .text(date))] {
            let certificate = MadeHCERT.with { $0.content = ["dob": value] }
            #expect(try certificate.warnings() == (isAsInSchema ? [] : ["schema-error dob"]))
            #expect(try certificate.contents().subjects.first?.birthDate?.description == shown)
        }
    }

    // MARK: P7

    @Test func hasExactlyOneRecord() throws {
        let record = MadeCBOR.map((MadeHCERT.records["t"] ?? [:]).map { (.text($0.key), $0.value) })
        try expectMalformed(.with { $0.content = ["v": MadeHCERT.absent] }, "has no record")
        for nothing in [nil, []] as [MadeCBOR] {
            try expectMalformed(.with { $0.content = ["v": nothing] }, "has no record")
            #expect(try MadeHCERT.with { $0.content = ["t": nothing, "r": nothing] }.warnings().isEmpty)
        }
        try expectMalformed(.with { $0.content = ["t": [record]] }, "several records")
        try expectMalformed(.with { $0.content = ["v": [record, record]] }, "several records")
        try expectMalformed(.with { $0.content = ["v": [], "t": [record, record]] }, "several records")
        #expect(try MadeHCERT.with { $0.content = ["v": nil, "t": [record]] }.warnings().isEmpty)
    }

    @Test(arguments: ["x", 1, [:], ["0": [:]], true] as [MadeCBOR]) func groupsAreArrays(_ value: MadeCBOR) throws {
        try expectMalformed(.with { $0.content = ["v": value] }, "\"v\" must be an array")
        try expectMalformed(.with { $0.content = ["r": value] }, "\"r\" must be an array")
    }

    @Test(arguments: ["x", 1, [], nil, .bytes([])] as [MadeCBOR]) func recordsAreMaps(_ value: MadeCBOR) throws {
        try expectMalformed(.with { $0.content = ["v": [value]] }, "must be a map")
    }

    // MARK: P8

    private static let members: [(group: String, name: String)] = MadeHCERT.records.flatMap { group, members in
        members.map { (group, $0.key) }
    }.sorted { $0 < $1 }

    private static let optional = ["nm", "tc", "ma", "dr"]

    @Test(arguments: members) func requiresTheMembersOfTheSchema(_ group: String, _ name: String) throws {
        let isOptional = group == "t" && Self.optional.contains(name)
        let make = { (value: MadeCBOR) in
            MadeHCERT.with {
                $0.group = group
                $0.record = [name: value]
            }
        }
        let path = "\(group)[0].\(name)"
        for value in [MadeHCERT.absent, nil] {
            if isOptional {
                #expect(try make(value).warnings().isEmpty)
            } else {
                try expectMalformed(make(value), path)
            }
        }
        for value in [[], [:], .bytes([0x41]), true, .tag(99, "x"), .raw([0xF7]), 1.5] as [MadeCBOR] {
            try expectMalformed(make(value), "\(path) must be")
        }
        if name == "dn" || name == "sd" {
            try expectMalformed(make("1"), "a whole number")
        } else {
            try expectMalformed(make(1), "a text")
        }
    }

    @Test func membersThatATestMayHave() throws {
        let rapid = MadeHCERT.with {
            $0.group = "t"
            $0.record = [
                "nm": MadeHCERT.absent, "ma": "1232", "tt": "LP217198-3", "dr": "2022-01-09T09:00:00Z", "tc": nil,
            ]
        }
        #expect(try rapid.warnings().isEmpty)
        let noTime = MadeHCERT.with {
            $0.group = "t"
            $0.record = ["dr": "2022-01-09"]
        }
        #expect(try noTime.warnings() == ["schema-error t[0].dr"])
    }

    @Test(
        arguments: [
            (1, true), (9, true), (2.0, true), (.raw([0xF9, 0x40, 0x00]), true), (0, false), (-1, false), (0.0, false),
        ] as [(MadeCBOR, Bool)])
    func readsNumbersOfDoses(_ number: MadeCBOR, _ isAsInSchema: Bool) throws {
        #expect(
            try MadeHCERT.with { $0.record = ["dn": number] }.warnings()
                == (isAsInSchema ? [] : ["schema-error v[0].dn"]))
    }

    @Test(arguments: [2.5, .float(.nan), .float(.infinity), 1e300, .tag(2, .bytes([1]))] as [MadeCBOR])
    func refusesNumbersThatAreNotWhole(_ number: MadeCBOR) throws {
        try expectMalformed(.with { $0.record = ["sd": number] }, "v[0].sd must be a whole number")
    }

    @Test func warnsOnceOfUnknownMembers() throws {
        let record = MadeHCERT.with { $0.record = ["xx": 1, "yy": [:]] }
        #expect(try record.warnings() == ["unknown-member v[0]"])
        #expect(try MadeHCERT.with { $0.names = ["mn": "x"] }.warnings() == ["unknown-member nam"])
        #expect(try MadeHCERT.with { $0.content = ["id": "x"] }.warnings() == ["unknown-member"])
    }

    // MARK: P11

    @Test(
        arguments: [
            ("2022-01-05", true, "2022-01-05", "2022-01-05"),
            ("2022-01-05T10:00:00Z", false, "2022-01-05T10:00:00Z", "2022-01-05"),
            (" 2022-01-05", false, "2022-01-05", "2022-01-05"),
            ("2022-01-05 10:00", false, "2022-01-05 10:00", "2022-01-05"),
            ("2022-1-5", false, nil, nil), ("2022-01", false, nil, nil), ("05.01.2022", false, nil, nil),
            ("", false, nil, nil),
            ("2022-02-29", false, nil, nil), ("2022-01-05x", false, nil, nil),
        ] as [(String, Bool, String?, String?)])
    func readsDates(_ text: String, _ isAsInSchema: Bool, _ shown: String?, _ day: String?) throws {
        let certificate = MadeHCERT.with { $0.record = ["dt": .text(text)] }
        #expect(try certificate.warnings() == (isAsInSchema ? [] : ["schema-error v[0].dt"]))
        let contents = try certificate.contents()
        #expect(contents.records.first?.date?.description == shown)
        #expect(contents.records.first?.hasUnreadableDate == (shown == nil))
        #expect(contents.relevantDate.map { "\($0.text)" } == day)
    }

    @Test(arguments: [
        ("2022-01-09T08:15:00+01:00", true), ("2022-01-09T08:15:00Z", true), ("2022-01-09T08:15:00.123456Z", true),
        ("2022-01-09T08:15:00", false), ("2022-01-09", false), ("2022-01-09T08:15Z", false), ("now", false),
        ("2022-01-09T25:15:00Z", false), ("2022-01-09T08:15:00+01:00:00", false),
    ])
    func readsTimesOfTests(_ text: String, _ isTime: Bool) throws {
        for value in [MadeCBOR.text(text), .tag(0, .text(text))] {
            let certificate = MadeHCERT.with {
                $0.group = "t"
                $0.record = ["sc": value]
            }
            #expect(try certificate.warnings() == (isTime ? [] : ["schema-error t[0].sc"]))
            let contents = try certificate.contents()
            #expect(contents.records.first?.date?.description == (isTime ? text : nil))
            #expect(contents.relevantDate.map { "\($0.text)" } == (isTime ? "2022-01-09" : nil))
        }
    }
}
