import Encodings
import FHIR
import Testing

@Suite("Queries")
struct RecordQueryTests {
    private static func shot(_ date: String?, code: String = "207", _ members: String = #","status":"completed""#)
        -> String
    {
        """
        {"resourceType":"Immunization","vaccineCode":{"coding":[{"system":"\(Code.cvx)","code":"\(code)"}]}
         \(date.map { #","occurrenceDateTime":"\#($0)""# } ?? "")\(members)}
        """
    }

    /// The requirements that a card of these resources does not meet.
    static func mismatch(
        _ types: [String] = [], since: String? = nil, until: String? = nil, in resources: [String]
    ) throws -> RecordMismatch? {
        try RecordQuery(recordTypes: types, since: since, until: until).mismatch(with: card(resources))
    }

    // MARK: Types

    @Test func allTypesMustBePresent() throws {
        let test = #"{"resourceType":"Observation","code":{"coding":[{"system":"http://loinc.org","code":"1"}]}}"#
        let card = [#"{"resourceType":"Patient"}"#, Self.shot("2021"), test]
        #expect(try Self.mismatch(in: card) == nil)
        #expect(try Self.mismatch(["immunization", "laboratory", "covid19", "Patient"], in: card) == nil)
        let missing = try Self.mismatch(["recovery", "immunization", "Coverage"], in: card)
        #expect(missing?.missing == [.recovery, .resource("Coverage")])
        #expect(missing?.date == nil)
    }

    @Test func theDeprecatedTypesOfTheCardDecideNothing() throws {
        #expect(try Self.mismatch(["covid19"], in: [Self.shot("2021", code: "140")]) != nil)
    }

    @Test func aQueryWithoutRequirementsIsEmpty() throws {
        #expect(try RecordQuery().isEmpty)
        #expect(try !RecordQuery(recordTypes: ["covid19"]).isEmpty)
        #expect(try !RecordQuery(recordTypes: [], until: "2021").isEmpty)
        #expect(try RecordQuery(recordTypes: ["covid19", "#covid19"]).types == [.covid19])
    }

    // MARK: Dates

    private static let intervals: [(String, String?, String?, Bool)] = [
        ("2021-06-15", "2021", "2021", true), ("2021-01-01", "2021", "2021", true),
        ("2021-12-31", "2021", "2021", true),
        ("2021", "2021", "2021", true), ("2021-12-31T23:59:59.999Z", "2021", "2021", true),
        ("2022-01-01", "2021", "2021", false), ("2020-12-31", "2021", "2021", false),
        ("2021-01-29", "2021-01-29", nil, true), ("2021-01-29", "2021-01-30", nil, false),
        ("2021-01-29", nil, "2021-01-29", true), ("2021-01-29", nil, "2021-01-28", false),
        ("2021-01-29", nil, "2021-01", true), ("2021-01-29", nil, "2020", false), ("2021-01-29", "2021-02", nil, false),
        ("2021-01-29T10:00:00Z", "2021-01-29", "2021-01-29", true),
        ("2021-01-29T10:00:00Z", "2021-01-29T10:00:00Z", "2021-01-29T10:00Z", true),
        // A date that may be outside the interval does not meet the query.
        ("2021", "2021-06-01", nil, false), ("2021-06", "2021-06-01", "2021-06-30", true),
        ("2021-06", nil, "2021-06-15", false), ("2021-06", nil, "2021-06-30", true),
        ("2021-01-29", "2021-01-29T08:00:00", nil, false),
        // Local days are compared, or moments if both dates have a zone.
        ("2021-06-01T00:30:00+02:00", "2021-06-01", nil, true), ("2021-06-01T00:30:00+02:00", nil, "2021-05-31", false),
        ("2021-05-31T23:30:00-05:00", nil, "2021-05-31", true), ("2021-05-31T23:30:00-05:00", "2021-06-01", nil, false),
        ("2021-06-01T00:30:00+02:00", "2021-05-31T22:30:00Z", nil, true),
        ("2021-06-01T00:30:00+02:00", "2021-06-01T00:00:00Z", nil, false),
        ("2021-06-01", "2021-06-01T00:00:00+14:00", nil, true),
    ]

    @Test(arguments: intervals)
    func theRelevantDateMustBeInTheInterval(
        _ date: String, _ since: String?, _ until: String?, _ expected: Bool
    ) throws {
        #expect(try (Self.mismatch(since: since, until: until, in: [Self.shot(date)]) == nil) == expected)
    }

    @Test func theLatestOfTheDatesCounts() throws {
        let card = [Self.shot("2021-01-01"), Self.shot("2022-09-05"), Self.shot("2021-01-29")]
        #expect(try Self.mismatch(since: "2022", in: card) == nil)
        #expect(try Self.mismatch(until: "2022-09", in: card) == nil)
        #expect(try Self.mismatch(until: "2021", in: card) != nil)
        #expect(try Self.mismatch(since: "2022-10", in: card) != nil)
    }

    @Test func aVagueDateDoesNotHideAnExactOne() throws {
        let card = [Self.shot("2021-06-30"), Self.shot("2021")]
        #expect(try Self.mismatch(since: "2021-06", in: card) == nil)
        #expect(try Self.mismatch(since: "2021-07", in: card) != nil)
        #expect(try Self.mismatch(until: "2021-06-30", in: card) != nil)
    }

    /// An unreadable date may be any date, so no card passes because of it.
    @Test(arguments: [
        #""occurrenceDateTime":"2030-01-01T""#, #""occurrenceDateTime":"30 Jan 2030""#,
        #""occurrenceDateTime":["2030"]"#,
        #""occurrenceDateTime":2030"#, #""occurrenceDateTime":{"value":"2030"}"#, #""occurrenceDateTime":" 2030""#,
        #""occurrenceString":"next year""#, #""occurrenceDateTime":5,"date":"2020""#, #""occurrenceDateTime":"""#,
        #""occurrenceDateTime":"2021-01-01","occurrenceString":"2030-01-01""#,
    ])
    func anUnreadableDateMayBeTooLate(_ members: String) throws {
        let card = [Self.shot("2021-01-01"), #"{"resourceType":"Immunization","status":"completed",\#(members)}"#]
        let mismatch = try #require(try Self.mismatch(until: "2021", in: card))
        #expect(mismatch.description.contains("a date that cannot be read"))
        #expect(mismatch.impersonalDescription.contains("a date that cannot be read"))
        #expect(try Self.mismatch(since: "2021", in: card) == nil)
    }

    @Test func aTimingThatIsNotADateMayBeTooLate() throws {
        let card = [
            Self.shot("2021-01-01"),
            #"{"resourceType":"Observation","effectiveTiming":{"event":["2030-01-01"]}}"#,
        ]
        #expect(try Self.mismatch(until: "2021", in: card) != nil)
    }

    private static let undated: [[String]] = [
        [], [shot(nil)], [shot("soon")], [#"{"resourceType":"Patient","birthDate":"1950-01-01"}"#],
        [shot("2021", #","status":"entered-in-error""#)],
    ]

    @Test(arguments: undated)
    func aCardWithoutADatedRecordDoesNotMatch(_ card: [String]) throws {
        #expect(try Self.mismatch(until: "2030", in: card)?.date == .noDate)
        #expect(try Self.mismatch(since: "1900", in: card)?.date == .noDate)
        #expect(try Self.mismatch(in: card) == nil)
    }

    @Test func recordsThatWereNotDoneDoNotMeetSince() throws {
        let card = [Self.shot("2020-01-01"), Self.shot("2022-01-01", #","status":"not-done""#)]
        let mismatch = try Self.mismatch(since: "2021", in: card)
        #expect(mismatch?.description.contains("its latest record is of 2020-01-01, which is before 2021") == true)
    }

    @Test(arguments: [("2022", "2021"), ("2021-06-02", "2021-06-01"), ("2021-06", "2021-05-31")])
    func rejectsAnEmptyInterval(_ since: String, _ until: String) {
        let error = #expect(throws: Malformed.self) {
            try RecordQuery(recordTypes: [], since: since, until: until)
        }
        #expect(error?.description == "no date is both since \(since) and until \(until)")
    }

    @Test(arguments: [("2021-06-15", "2021"), ("2021", "2021-06-15"), ("2021-06-01", "2021-06-01")])
    func acceptsAnIntervalThatContainsADate(_ since: String, _ until: String) throws {
        #expect(try RecordQuery(recordTypes: [], since: since, until: until).since?.text == since)
    }

    @Test(arguments: ["", "yesterday", "2021-13", "2021-02-30", "01/02/2021", "2021-6-1", "2021\n"])
    func rejectsAQueryWithoutAValidDate(_ text: String) {
        let error = #expect(throws: Malformed.self) {
            try RecordQuery(recordTypes: [], since: nil, until: text)
        }
        #expect(error?.description.contains("is not a date: write 2021, 2021-06") == true)
        #expect(error?.description.contains("\n") == false)
    }

    // MARK: Records

    /// Each record is judged like a card with only this record, except that a record that was not done keeps its date.
    @Test(arguments: intervals)
    func recordsAreChosenByTheirOwnDates(
        _ date: String, _ since: String?, _ until: String?, _ expected: Bool
    ) throws {
        let contents = try card([Self.shot(date)])
        let query = try RecordQuery(recordTypes: [], since: since, until: until)
        #expect(query.selects(contents) == [expected])
    }

    @Test func recordsAreChosenByAnyOfTheTypes() throws {
        let test = #"{"resourceType":"Observation","code":{"coding":[{"system":"http://loinc.org","code":"1"}]}}"#
        let resources = [
            #"{"resourceType":"Patient"}"#, Self.shot("2021"), Self.shot("2021", code: "140"), test,
            Self.shot("2021", #","status":"not-done""#), Self.shot(nil),
        ]
        let contents = try card(resources)
        let chosen = { (types: [String], since: String?) in
            let query = try RecordQuery(recordTypes: types, since: since)
            return query.selects(contents)
        }
        #expect(try chosen([], nil) == [true, true, true, true, true])
        #expect(try chosen(["immunization"], nil) == [true, true, false, false, true])
        #expect(try chosen(["covid19", "laboratory"], nil) == [true, false, true, false, true])
        #expect(try chosen(["Patient"], nil) == [false, false, false, false, false])
        #expect(try chosen([], "2021") == [true, true, false, true, false])
        #expect(try chosen(["immunization"], "2021") == [true, true, false, false, false])
    }

    // MARK: Persons

    private static let persons = [
        #"{"resourceType":"Patient","name":[{"family":"A"}]}"#, #"{"resourceType":"Patient","name":[{"family":"B"}]}"#,
    ]

    private static func shot(_ date: String = "2021", of person: String) -> String {
        shot(date, code: "207", #","status":"completed"\#(person.isEmpty ? "" : "," + person)"#)
    }

    /// Elements that say whose a record is, and whether it is then a record of the card with one Patient, `resource:0`,
    /// and of the card with two.
    private static let named: [(String, one: Bool, two: Bool)] = [
        ("", true, false), (#""patient":null"#, true, false), (#""patient":{}"#, true, false),
        (#""patient":{"reference":"resource:0"}"#, true, true), (#""subject":{"reference":"resource:0"}"#, true, true),
        (#""patient":{"reference":"resource:1"}"#, false, true),
        (#""patient":{"reference":"resource:9"}"#, false, false),
        (#""patient":{"reference":"Patient/other"}"#, false, false),
        (#""patient":{"display":"A"}"#, false, false), (#""patient":{"identifier":{"value":"1"}}"#, false, false),
        (#""patient":{"reference":7}"#, false, false), (#""patient":{"reference":""}"#, false, false),
        (#""patient":"resource:0""#, false, false), (#""patient":["resource:0"]"#, false, false),
        (#""patient":{"reference":"resource:0"},"subject":{"reference":"resource:9"}"#, false, false),
        (#""patient":{"reference":"resource:0"},"subject":{"reference":"resource:1"}"#, false, false),
        (##""contained":[{"resourceType":"Patient","id":"p"}],"patient":{"reference":"#p"}"##, false, false),
    ]

    @Test(arguments: named)
    func onlyRecordsOfPersonsOnTheCardCount(_ person: String, _ one: Bool, _ two: Bool) throws {
        for (persons, counts) in [(Self.persons.prefix(1), one), (Self.persons[...], two)] {
            // With one Patient, `resource:1` is the record itself.
            let contents = try card(persons + [Self.shot(of: person)])
            for (types, since, until) in [
                (["immunization"], nil, nil), (["Immunization"], nil, nil), (["covid19"], nil, nil), ([], "2021", nil),
                ([], nil, "2021"), (["covid19"], "2021", "2021"),
            ] as [([String], String?, String?)] {
                let query = try RecordQuery(recordTypes: types, since: since, until: until)
                #expect((query.mismatch(with: contents) == nil) == counts)
                #expect(query.selects(contents) == [counts])
            }
            #expect(try RecordQuery().selects(contents) == [true])
            #expect(try RecordQuery().mismatch(with: contents) == nil)
        }
    }

    @Test func withoutAPatientNoRecordCounts() throws {
        let contents = try contents(Self.shot("2021"), names: .builtIn)
        #expect(try RecordQuery(recordTypes: ["immunization"]).mismatch(with: contents) != nil)
        #expect(try RecordQuery(since: FHIRDate("2021")).mismatch(with: contents)?.date == .noDate)
    }

    /// The date of somebody else says nothing about the persons on the card.
    @Test func recordsOfNobodyChangeNoDate() throws {
        let other = #""patient":{"reference":"resource:9"}"#
        let card = [
            Self.persons[0], Self.shot("2021-05"), Self.shot("2026-01-01", of: other), Self.shot("soon", of: other),
        ]
        #expect(try Self.mismatch(until: "2021", in: card) == nil)
        #expect(
            try Self.mismatch(since: "2022", in: card)?.description.hasPrefix("its latest record is of 2021-05, ")
                == true)
    }

    @Test func aPatientNamesItselfAndOtherResourcesThePersonsThatTheyName() throws {
        let other = #"{"resourceType":"RelatedPerson","patient":{"reference":"resource:9"}}"#
        let two = Self.persons + [#"{"resourceType":"Organization"}"#, other]
        #expect(try Self.mismatch(["Patient"], in: two) == nil)
        #expect(try Self.mismatch(["Organization"], in: two) != nil)
        #expect(try Self.mismatch(["Organization"], in: Array(two.dropFirst())) == nil)
        #expect(try Self.mismatch(["RelatedPerson"], in: Array(two.dropFirst())) != nil)
        let request = #"{"resourceType":"MedicationRequest","medicationReference":{"reference":"resource:3"}}"#
        let medication = #"{"resourceType":"Medication","code":{"text":"M"}}"#
        #expect(try Self.mismatch(["Medication"], in: Self.persons + [request, medication]) != nil)
        #expect(try Self.mismatch(["Medication"], in: [Self.persons[0], "{}", request, medication]) == nil)
    }

    @Test func saysThatRecordsOfNobodyDoNotCount() throws {
        let card = [Self.persons[0], Self.shot(of: #""patient":{"reference":"resource:9"}"#)]
        let mismatch = try #require(try Self.mismatch(["immunization"], in: card))
        let words =
            "the card has no record of type immunization (a record that names no person on the card does not count)"
        #expect(mismatch.impersonalDescription == words)
        #expect(
            mismatch.description == words
                + #"; it has Immunization "COVID-19, mRNA (Moderna)" of 2021 (names no person on the card)"#)
    }

    // MARK: Types and dates

    private static let influenza = "140"

    @Test(
        arguments: [
            (["covid19"], "2025-01-01", nil, false), (["covid19"], "2021", nil, true), (["covid19"], nil, "2026", true),
            (["immunization"], "2025-01-01", nil, true), (["Immunization"], "2025", "2026", true),
            (["covid19", "immunization"], "2025", nil, false), (["covid19", "immunization"], "2021", nil, true),
            // The latest record is out of the interval.
            (["covid19"], nil, "2021", false), (["covid19"], "2021", "2021", false),
            // A Patient has no date.
            (["Patient"], nil, nil, true), (["Patient"], "1900", nil, false),
        ] as [([String], String?, String?, Bool)])
    func oneRecordHasTheTypeAndTheDate(_ types: [String], _ since: String?, _ until: String?, _ expected: Bool) throws {
        let card = [Self.persons[0], Self.shot("2021-03-01"), Self.shot("2026-01-10", code: Self.influenza)]
        #expect(try (Self.mismatch(types, since: since, until: until, in: card) == nil) == expected)
    }

    @Test func eachTypeNeedsItsOwnRecordInTheInterval() throws {
        let test = """
            {"resourceType":"Observation","effectiveDateTime":"2026-01-01",
             "code":{"coding":[{"system":"http://loinc.org","code":"1"}]}}
            """
        let card = [Self.shot("2021"), Self.shot("2025", code: Self.influenza), test]
        #expect(try Self.mismatch(["immunization", "laboratory"], since: "2025", in: card) == nil)
        #expect(try Self.mismatch(["immunization", "laboratory"], since: "2026", in: card)?.outside == [.immunization])
        // The test's code is in no list, so only without the test is it known what the card lacks.
        #expect(try Self.mismatch(["covid19", "laboratory"], since: "2025", in: card) == nil)
        let shots = Array(card.dropLast())
        #expect(try Self.mismatch(["covid19", "immunization"], since: "2025", in: shots)?.outside == [.covid19])
    }

    @Test(
        arguments: [
            ("2025", nil, "of 2025 or later"), ("2025", "2026", "between 2025 and 2026"),
        ] as [(String?, String?, String)])
    func saysThatNoRecordOfTheTypeHasTheDate(_ since: String?, _ until: String?, _ interval: String) throws {
        let card = [Self.shot("2021-03-01"), Self.shot("2026-01-10", code: "3")]
        let mismatch = try #require(try Self.mismatch(["covid19"], since: since, until: until, in: card))
        #expect(
            mismatch.description == "the card has no record of type covid19 with a date \(interval); "
                + #"it has Immunization "COVID-19, mRNA (Moderna)" of 2021-03-01, Immunization "MMR" of 2026-01-10"#)
        #expect(mismatch.impersonalDescription == "the card has no record of type covid19 with a date as asked for")
    }

    @Test func aLeapSecondIsOnItsOwnDay() throws {
        for second in ["2021-06-30T23:59:60Z", "2021-06-30T23:59:60.5Z", "2021-07-01T01:59:60+02:00"] {
            let card = [Self.shot(second)]
            #expect(
                try Self.mismatch(until: second.hasPrefix("2021-06") ? "2021-06-30" : "2021-07-01", in: card) == nil)
            #expect(try Self.mismatch(since: "2021-07-02", in: card) != nil)
        }
    }

    // MARK: Messages

    private static let negative = """
        {"resourceType":"Observation","status":"final","effectiveDateTime":"2021-02-17",
         "code":{"coding":[{"system":"http://loinc.org","code":"94558-4"}]},
         "valueCodeableConcept":{"coding":[{"system":"http://snomed.info/sct","code":"260415000"}]}}
        """

    private static let lines: [([String], String?, String?, [String], String)] = [
        (
            ["laboratory"], nil, nil, [shot("2021-01-29")],
            #"the card has no record of type laboratory; it has Immunization "COVID-19, mRNA (Moderna)" of 2021-01-29"#
        ),
        (
            ["immunization", "recovery"], nil, nil, [negative],
            """
            the card has no records of types immunization, recovery; it has Observation "94558-4" of \
            2021-02-17 with result "Not detected"
            """
        ),
        (
            ["immunization"], nil, nil, [shot("2021", #","status":"not-done""#)],
            """
            the card has no record of type immunization; it has Immunization "COVID-19, mRNA (Moderna)" of 2021 \
            (not done)
            """
        ),
        (
            ["immunization"], nil, nil,
            [shot("2021", #","status":"on-hold""#), shot(nil, #","isSubpotent":true"#)],
            """
            the card has no record of type immunization; it has Immunization "COVID-19, mRNA (Moderna)" of 2021 \
            (status "on-hold"), Immunization "COVID-19, mRNA (Moderna)" (subpotent)
            """
        ),
        (["covid19"], nil, nil, [], "the card has no record of type covid19; it has no records"),
        (
            [], "2021", nil, [shot("2020-05-01", code: "140")],
            """
            its latest record is of 2020-05-01, which is before 2021; it has Immunization "Influenza, split virus, \
            trivalent, PF" of 2020-05-01
            """
        ),
        (
            ["recovery"], "2021-06-01", nil, [shot("2021", code: "3")],
            """
            the card has no record of type recovery, and its latest record is of 2021, which may be before 2021-06-01; \
            it has Immunization "MMR" of 2021
            """
        ),
        (
            [], nil, "2020", [shot("2021", code: "3")],
            #"its latest record is of 2021, which is after 2020; it has Immunization "MMR" of 2021"#
        ),
        (
            [], nil, "2021-06", [shot("2021", code: "3")],
            #"its latest record is of 2021, which may be after 2021-06; it has Immunization "MMR" of 2021"#
        ),
        (
            [], nil, "2020", [shot("soon", code: "3")],
            #"none of its records has a date; it has Immunization "MMR", "soon""#
        ),
    ]

    @Test(arguments: lines)
    func saysInOneLineWhatIsMissingAndWhatThereIs(
        _ types: [String], _ since: String?, _ until: String?, _ card: [String], _ words: String
    ) throws {
        #expect(try Self.mismatch(types, since: since, until: until, in: card)?.description == words)
    }

    @Test(
        arguments: [
            (["laboratory"], nil, nil, "the card has no record of type laboratory"),
            (
                ["recovery"], "2021-06-01", nil,
                "the card has no record of type recovery, and its latest record may be earlier than what was asked for"
            ),
            ([], "2022", nil, "its latest record is earlier than what was asked for"),
            ([], nil, "2020", "its latest record is later than what was asked for"),
            ([], nil, "2021-06", "its latest record may be later than what was asked for"),
        ] as [([String], String?, String?, String)])
    func impersonalMessagesContainNothingFromTheCard(
        _ types: [String], _ since: String?, _ until: String?, _ words: String
    ) throws {
        let mismatch = try Self.mismatch(types, since: since, until: until, in: [Self.shot("2021")])
        #expect(mismatch?.impersonalDescription == words)
    }

    @Test func namesOnlyTheFirstOfManyRecords() throws {
        let words = try Self.mismatch(["laboratory"], in: (1...300).map { _ in Self.shot("2021", code: "3") })?
            .description
        let mmr = #"Immunization "MMR" of 2021"#
        #expect(
            words == "the card has no record of type laboratory; it has \(mmr), \(mmr), \(mmr), and 297 more")
    }

    @Test func quotesAndShortensTextFromTheCard() throws {
        let long = String(repeating: "x", count: 100_000)
        let hostile = [
            #"{"resourceType":"\u001b[2J\n\#(long)","code":{"text":"\u202e\u0007\#(long)"},"status":"\u009b\#(long)"}"#,
            """
            {"resourceType":"Observation","status":"\(long)","code":{"text":"e\u{301}\(long)"},"valueString":"\(long)",
             "effectiveDateTime":"2021-01-29T10:00:00.\(String(repeating: "0", count: 100_000))Z"}
            """,
            #"{"resourceType":"Procedure","performedString":"\n\u001b\#(long)"}"#,
        ]
        let words = try #require(try Self.mismatch(["covid19"], since: "2022", in: hostile)?.description)
        #expect(words.utf8.count < 1500)
        #expect(words.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{202E}" && $0 != "\u{9B}" })
        #expect(words.contains("\\u001b"))
    }
}
