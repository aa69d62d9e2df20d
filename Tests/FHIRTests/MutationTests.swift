import Encodings
import FHIR
import TestSupport
import Testing

/// A Bundle is read with any of its members replaced. It must not trap, and must give the same result each time.
@Suite("Mutated Bundles")
struct MutationTests {
    static let seeds: [String] = [
        """
        {"resourceType":"Bundle","meta":{"security":[{"system":"https://smarthealth.cards/ial","code":"IAL2"}]},"entry":[
        {"fullUrl":"resource:0","resource":{"resourceType":"Patient","name":[{"use":"official","family":"A",
         "given":["B","C"],"prefix":["D"],"suffix":["E"],"text":"F"}],"birthDate":"1951-01-20"}},
        {"fullUrl":"resource:1","resource":{"resourceType":"Immunization","status":"completed","isSubpotent":false,
         "vaccineCode":{"text":"T","coding":[{"system":"http://hl7.org/fhir/sid/cvx","code":"207","display":"G"}]},
         "patient":{"reference":"resource:0"},"occurrenceDateTime":"2021-01-29T10:00:00.5+01:00","lotNumber":"7",
         "manufacturer":{"identifier":{"system":"mvx","value":"MOD"}},"performer":[{"actor":{"reference":"#o"}}],
         "contained":[{"resourceType":"Organization","id":"o","name":"H"}],
         "protocolApplied":[{"doseNumberPositiveInt":2}]}},
        {"fullUrl":"resource:2","resource":{"resourceType":"Immunization","date":"2020","wasNotGiven":true,
         "vaccineCode":{"coding":[{"system":"http://hl7.org/fhir/sid/cvx","code":"1"}]},
         "performer":{"reference":"PractitionerRole/r"},"vaccinationProtocol":[{"doseSequence":1}]}},
        {"resource":{"resourceType":"PractitionerRole","id":"r","practitioner":{"reference":"resource:4"},
         "organization":{"display":"I"}}},
        {"resource":{"resourceType":"Practitioner","name":{"family":["J"]}}}]}
        """,
        """
        {"resourceType":"Bundle","entry":[
        {"fullUrl":"urn:uuid:1","resource":{"resourceType":"Observation","category":[{"coding":[{"code":"vital-signs"}]}],
         "code":{"coding":[{"system":"http://loinc.org","code":"2339-0"}]},"effectivePeriod":{"start":"2021","end":"2022"},
         "performer":[{"reference":"Organization/x"}],"valueQuantity":{"value":6.30,"unit":"mg","comparator":"<"},
         "interpretation":[{"coding":[{"code":"H"}]}],
         "referenceRange":[{"low":{"value":3.5,"unit":"mg"},"high":{"value":5.0}}],
         "component":[{"code":{"text":"S"},"valueRatio":{"numerator":{"value":1},"denominator":{"value":2}}}],
         "dataAbsentReason":{"text":"K"}}},
        {"resource":{"resourceType":"MedicationStatement","status":"active","medicationReference":{"reference":"Medication/m"},
         "effectivePeriod":{"start":"2015-03"},"subject":{"reference":"urn:uuid:1"}}},
        {"resource":{"resourceType":"Medication","id":"m","code":{"coding":[{"system":"s","code":"c"}]}}},
        {"resource":{"resourceType":"Condition","clinicalStatus":{"coding":[{"code":"active"}]},"onsetDateTime":"2015",
         "verificationStatus":"confirmed","code":{"text":"L"}}},
        {"resource":{"resourceType":"DiagnosticReport","conclusion":"M","conclusionCode":[{"text":"N"}]}},
        {"resource":{"resourceType":"Organization","id":"x","name":"O"}},
        {"resource":{"resourceType":"Invented","class":{"code":"P"},"title":"Q","period":{"start":"2000"}}}]}
        """,
    ]

    static let replacements = [
        "null", "true", "-0.0e1", #""""#, #""resource:0""#, #""\u0000""#, "[]", "{}", "[null,[],{}]",
        #"{"reference":"resource:1","coding":[{}],"resourceType":"Bundle"}"#, #""9999-12-31T23:59:60-14:00""#,
    ]

    /// Each value of the seed in turn is replaced by each replacement, or deleted.
    @Test(arguments: seeds)
    func areReadWithAnyMemberReplaced(_ seed: String) throws {
        let seed = Array(seed.utf8)
        var ranges: [Range<Int>] = []
        try collect(JSONDocument.parse(seed), into: &ranges)
        #expect(ranges.count > 80)
        for range in ranges {
            for replacement in Self.replacements {
                try check(Array(seed[..<range.lowerBound]) + Array(replacement.utf8) + Array(seed[range.upperBound...]))
            }
        }
    }

    /// Several members at once, chosen at random with a fixed seed.
    @Test(arguments: 0..<200)
    func areReadWithSeveralMembersReplaced(_ number: Int) throws {
        var random = SeededGenerator(seed: UInt64(number))
        var bytes = Array(Self.seeds[number % Self.seeds.count].utf8)
        for _ in 0..<Int.random(in: 2...12, using: &random) {
            var ranges: [Range<Int>] = []
            try collect(JSONDocument.parse(bytes), into: &ranges)
            guard let range = ranges.randomElement(using: &random) else { break }
            // A replacement, or a value from elsewhere in the Bundle.
            let other = ranges.randomElement(using: &random).map { Array(bytes[$0]) } ?? []
            let replacement =
                Bool.random(using: &random) ? other : Array(Self.replacements.randomElement(using: &random)!.utf8)
            guard bytes.count - range.count + replacement.count < 100_000 else { break }
            bytes.replaceSubrange(range, with: replacement)
            try check(bytes)
        }
    }

    private func check(_ bytes: [UInt8]) throws {
        let value = try JSONDocument.parse(bytes)
        let bundle = FHIRBundle(value)
        let contents = CardContents(bundle, fhirVersion: "4.0.1", names: RecordTests.names)
        #expect(contents.records.count <= bundle.entries.count)
        #expect(contents.subjects.count <= bundle.entries.count)
        for record in contents.records {
            #expect(bundle.entries.indices.contains(record.entryIndex))
            #expect(record.subjectIndex.map { contents.subjects.indices.contains($0) } ?? true)
            #expect((record.display == nil) == (record.displaySource == nil))
            #expect(record.date != "" && record.status != "" && record.performer != "" && record.lotNumber != "")
        }
        let query = try RecordQuery(recordTypes: ["covid19", "recovery", "Coverage"], since: "2021", until: "2021-06")
        let mismatch = query.mismatch(with: contents)?.description
        #expect(mismatch?.unicodeScalars.allSatisfy { $0.value >= 0x20 } == true)
        let again = CardContents(FHIRBundle(value), fhirVersion: "4.0.1", names: RecordTests.names)
        #expect(again.records == contents.records)
        #expect(again.subjects == contents.subjects)
    }

    /// The ranges of the value and of all values in it.
    private func collect(_ value: JSONValue, into ranges: inout [Range<Int>]) {
        ranges.append(value.byteRange)
        for element in value.elements?.map({ $0 }) ?? [] { collect(element, into: &ranges) }
        for member in value.members?.map({ $0.value }) ?? [] { collect(member, into: &ranges) }
    }
}
