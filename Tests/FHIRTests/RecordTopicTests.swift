import Encodings
import FHIR
import Foundation
import TestSupport
import Testing

/// What records are about can be read without the records. It must be the same as what the records say.
@Suite("Topics of records")
struct RecordTopicTests {
    /// Compares both readings of a Bundle, and returns the number of records.
    @discardableResult
    private func compare(_ bundle: JSONValue) -> Int {
        let records = CardContents(FHIRBundle(bundle), fhirVersion: "4.0.1", names: .builtIn).records
        #expect(RecordTopic.all(in: bundle) == records.map { RecordTopic($0) })
        return records.count
    }

    @Test func areThoseOfTheRecords() throws {
        let topics = try RecordTopic.all(
            in: bundle(of: [
                #"{"resourceType":"Patient"}"#,
                #"{"resourceType":"Immunization","vaccineCode":{"coding":[{"system":"s","code":"a"},{"code":"b"}]}}"#,
                #"{"resourceType":"Organization","code":{"coding":[{"code":"c"}]}}"#,
                #"""
                {"resourceType":"Observation","category":[{"coding":[{"code":"vital-signs"}]}],"code":{"text":"d"},"component":[
                 {"code":{"coding":[{"code":"e"}]},"valueString":"1"},{"code":{"coding":[{"code":"f"}]}}]}
                """#,
            ]).value)
        #expect(topics.map(\.resourceType) == ["Immunization", "Observation"])
        #expect(topics.map(\.type) == [.immunization, .vitalSign])
        #expect(topics.map(\.codes) == [[Code(system: "s", code: "a"), Code(system: nil, code: "b")], []])
        // A component without a value is no result.
        #expect(topics.map(\.partCodes) == [[], [Code(system: nil, code: "e")]])
    }

    /// The code of a medicine may be in another resource, which then is no record of its own.
    @Test(arguments: [
        #"{"reference":"resource:1"}"#, ##"{"reference":"#m"}"##, #"{"reference":"resource:7"}"#, "null", "1",
    ])
    func followReferencesToMedications(_ reference: String) throws {
        let value = try bundle(of: [
            #"""
            {"resourceType":"MedicationRequest","medicationReference":\#(reference),
             "contained":[{"resourceType":"Medication","id":"m","code":{"coding":[{"code":"a"}]}}]}
            """#,
            #"{"resourceType":"Medication","code":{"coding":[{"code":"b"}]}}"#,
            #"{"resourceType":"MedicationRequest","medicationCodeableConcept":{"coding":[{"code":"c"}]}}"#,
        ]).value
        #expect(compare(value) >= 2)
    }

    /// The text that references may lend has a limit, which names of performers use up too.
    @Test func areTheSameIfReferencesLendMuch() throws {
        let name = String(repeating: "n", count: 200_000)
        let requests = (0..<8).map { _ in
            #"{"resourceType":"MedicationRequest","medicationReference":{"reference":"resource:0"},"requester":{"reference":"resource:1"}}"#
        }
        let resources =
            [
                #"{"resourceType":"Medication","code":{"coding":[{"code":"a"}]}}"#,
                #"{"resourceType":"Organization","name":"\#(name)"}"#,
            ] + requests
        #expect(try compare(bundle(of: resources).value) == 8)
    }

    @Test(arguments: ["null", "[]", "{}", #"{"entry":1}"#, #"{"entry":[1,{},{"resource":1},{"resource":{}}]}"#])
    func areNoneWithoutResources(_ text: String) throws {
        #expect(try compare(JSONDocument.parse(Array(text.utf8))) == 0)
    }

    /// Each value of a Bundle in turn is replaced or deleted.
    @Test(arguments: MutationTests.seeds) func areTheSameInDamagedBundles(_ seed: String) throws {
        let seed = Array(seed.utf8)
        var ranges: [Range<Int>] = []
        try collect(JSONDocument.parse(seed), into: &ranges)
        for range in ranges {
            for replacement in MutationTests.replacements {
                let text = Array(seed[..<range.lowerBound]) + Array(replacement.utf8) + Array(seed[range.upperBound...])
                compare(try JSONDocument.parse(text))
            }
        }
    }

    private func collect(_ value: JSONValue, into ranges: inout [Range<Int>]) {
        ranges.append(value.byteRange)
        for member in value.members.map(Array.init) ?? [] { collect(member.value, into: &ranges) }
        for element in value.elements.map(Array.init) ?? [] { collect(element, into: &ranges) }
    }

    /// All Bundles in the files of the vectors, as inputs of their own or in payloads.
    @Test func areTheSameInTheVectors() throws {
        #expect(try compareBundles(in: VectorFiles.folder) > 20)
    }

    @Test(.enabled(if: SharedData.isPresent, "\(SharedData.absence)")) func areTheSameInOtherProjectsBundles() throws {
        #expect(try compareBundles(in: SharedData.conformance) > 20)
    }

    private func compareBundles(in folder: URL) throws -> Int {
        let files = FileManager.default.enumerator(atPath: folder.path)
        var count = 0
        for case let path as String in files! where path.hasSuffix(".json") {
            let bytes = Array(try Data(contentsOf: folder.appending(path: path)))
            guard bytes.count < 1 << 20, let value = try? JSONDocument.parse(bytes) else { continue }
            for bundle in [value, value["vc"]?["credentialSubject"]?["fhirBundle"]].compactMap(\.self)
            where bundle["entry"] != nil {
                compare(bundle)
                count += 1
            }
        }
        return count
    }
}
