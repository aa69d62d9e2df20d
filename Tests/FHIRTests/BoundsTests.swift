import Encodings
import FHIR
import TestSupport
import Testing

/// Large Bundles, which would take longer than the limit in `read` if anything were looked up repeatedly.
@Suite("Large Bundles", .serialized)
struct BoundsTests {
    private func read(_ json: String) throws -> CardContents {
        #expect(json.utf8.count < 6 << 20)
        let value = try JSONDocument.parse(Array(json.utf8))
        var contents: CardContents?
        let time = processorTime { contents = CardContents(FHIRBundle(value), fhirVersion: "4.0.1") }
        #expect(time < .seconds(120), "\(time)")
        return try #require(contents)
    }

    private func bundle(_ entries: some Sequence<String>) -> String {
        #"{"resourceType":"Bundle","entry":["# + entries.joined(separator: ",") + "]}"
    }

    @Test func manyEntries() throws {
        let contents = try read(bundle((0..<30_000).map { _ in #"{"resource":{"resourceType":"Basic"}}"# }))
        #expect(contents.records.count == 30_000)
    }

    @Test func manyReferencesAndPatients() throws {
        let patients = (0..<20_000).map { #"{"fullUrl":"resource:\#($0)","resource":{"resourceType":"Patient"}}"# }
        let shots = (0..<20_000).map {
            #"{"resource":{"resourceType":"Immunization","patient":{"reference":"resource:\#($0)"}}}"#
        }
        let contents = try read(bundle(patients + shots))
        #expect(contents.subjects.count == 20_000)
        #expect(contents.records.map(\.subjectIndex) == Array(0..<20_000))
    }

    @Test func manyNames() throws {
        let names = repeatElement(#"{"use":"old","text":"A"}"#, count: 30_000).joined(separator: ",")
        let contents = try read(
            bundle([#"{"resource":{"resourceType":"Patient","name":[\#(names),{"text":"B"}]}}"#]))
        #expect(contents.subjects.map(\.name) == ["B"])
    }

    @Test(arguments: ["Organization", "PractitionerRole"])
    func everyRecordRefersToOneEnormousResource(_ type: String) throws {
        let members = (0..<30_000).map { #""m\#($0)":0"# }.joined(separator: ",")
        let organization = #"{"fullUrl":"o","resource":{"resourceType":"Organization",\#(members),"name":"Clinic"}}"#
        let roles = (0..<10_000).map {
            #"{"fullUrl":"r\#($0)","resource":{"resourceType":"PractitionerRole","organization":{"reference":"o"}}}"#
        }
        let shots = (0..<10_000).map {
            let reference = type == "Organization" ? "o" : "r\($0)"
            return #"{"resource":{"resourceType":"Immunization","performer":{"reference":"\#(reference)"}}}"#
        }
        let contents = try read(bundle([organization] + roles + shots))
        #expect(contents.records.count == 10_000)
        #expect(contents.records.allSatisfy { $0.performer == "Clinic" })
    }

    @Test func everyRoleRefersToOneEnormousRole() throws {
        let members = (0..<30_000).map { #""m\#($0)":0"# }.joined(separator: ",")
        let enormous = #"{"fullUrl":"e","resource":{\#(members),"resourceType":"PractitionerRole"}}"#
        let roles = (0..<10_000).map {
            #"{"fullUrl":"r\#($0)","resource":{"resourceType":"PractitionerRole","practitioner":{"reference":"e"}}}"#
        }
        let shots = (0..<10_000).map {
            #"{"resource":{"resourceType":"Immunization","performer":{"reference":"r\#($0)"}}}"#
        }
        let contents = try read(bundle([enormous] + roles + shots))
        #expect(contents.records.allSatisfy { $0.performer == nil })
    }

    @Test func textTakenFromOneLongNameIsLimited() throws {
        let name = String(repeating: "x", count: 500_000)
        let shots = repeatElement(
            #"{"resource":{"resourceType":"Immunization","performer":{"reference":"o"}}}"#, count: 30_000)
        let contents = try read(
            bundle([#"{"fullUrl":"o","resource":{"resourceType":"Organization","name":"\#(name)"}}"#] + shots))
        #expect(contents.records.count == 30_000)
        #expect(contents.records.count { $0.performer != nil } == 2)
    }

    @Test func textTakenFromOneMedicationIsLimited() throws {
        let codings = repeatElement(#"{"code":"1"}"#, count: 40_000).joined(separator: ",")
        let statements = repeatElement(
            #"{"resource":{"resourceType":"MedicationStatement","medicationReference":{"reference":"m"}}}"#,
            count: 30_000)
        let contents = try read(
            bundle(
                [#"{"fullUrl":"m","resource":{"resourceType":"Medication","code":{"coding":[\#(codings)]}}}"#]
                    + statements))
        #expect(contents.records.count == 30_000)
        #expect(contents.records.reduce(0) { $0 + $1.codes.count } == 40_000)
    }

    @Test func manyContainedResourcesAndPerformers() throws {
        let contained = (0..<40_000).map { #"{"resourceType":"Organization","id":"\#($0)"}"# }.joined(separator: ",")
        let performers = (0..<40_000).map { ##"{"reference":"#\##($0)"}"## }.joined(separator: ",")
        let contents = try read(
            bundle([
                #"{"resource":{"resourceType":"Observation","contained":[\#(contained)],"performer":[\#(performers)]}}"#
            ]))
        #expect(contents.records.map(\.performer) == [nil])
    }

    @Test func oneResourceWithManyMembersCodesAndComponents() throws {
        let members = (0..<30_000).map { #""\u006d\#($0)":0"# }.joined(separator: ",")
        let codings = repeatElement(#"{"code":"1"}"#, count: 30_000).joined(separator: ",")
        let components = repeatElement(#"{"valueInteger":1}"#, count: 30_000).joined(separator: ",")
        let contents = try read(
            bundle([
                """
                {"resource":{"resourceType":"Observation",\(members),"code":{"coding":[\(codings)]},
                "component":[\(components)]}}
                """
            ]))
        #expect(contents.records.map(\.codes.count) == [30_000])
        #expect(contents.records.map(\.results.count) == [30_000])
    }

    @Test func anAddressOfSlashes() throws {
        let slashes = String(repeating: "/", count: 2_000_000)
        let contents = try read(
            bundle([
                #"{"fullUrl":"http\#(slashes)","resource":{"resourceType":"Immunization","performer":{"reference":"\#(slashes)"}}}"#
            ]))
        #expect(contents.records.count == 1)
    }

    @Test func manyVaccinationsOfOneKind() throws {
        let shots = (0..<20_000).map {
            #"{"resource":{"resourceType":"Immunization","occurrenceDateTime":"\#(9999 - $0 % 9000)","patient":{"reference":"resource:0"},"vaccineCode":{"coding":[{"code":"1"}]}}}"#
        }
        let contents = try read(bundle([#"{"resource":{"resourceType":"Patient"}}"#] + shots))
        #expect(contents.records.allSatisfy { $0.orderOnCard?.count == 20_000 })
        #expect(Set(contents.records.compactMap { $0.orderOnCard?.position }).count == 20_000)
    }
}
