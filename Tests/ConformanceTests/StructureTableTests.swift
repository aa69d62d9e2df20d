import Encodings
import FHIR
import Testing

@testable import Conformance

/// The tables of resources and elements in FHIR R4.
struct StructureTableTests {
    @Test func containsAllResourcesAndTheTypesInThem() {
        var types = FHIRTypes()
        let names = types.type(named: "ResourceType")?.codes ?? []
        let resources = names.filter { types.resource(named: UTF8Text($0)) != nil }
        #expect(resources.count == 146)
        #expect(Set(names).subtracting(resources) == ["Resource", "DomainResource"])
        var left = resources
        var seen: Set<String> = []
        while let name = left.popLast() {
            guard seen.insert(name).inserted else { continue }
            guard let type = types.type(named: name) else {
                Issue.record("there is no \(name)")
                continue
            }
            #expect(type.marks.count <= 64)
            #expect(type.codes?.isEmpty != true, "\(name)")
            #expect(type.codes != nil || type.elements["id"] != nil, "\(name)")
            for element in type.elements.values {
                if case .named(let name) = element.kind { left.append(name) }
            }
        }
        #expect(seen.count > 800)
    }

    private func type(_ name: String) -> FHIRType? {
        var types = FHIRTypes()
        return types.type(named: name)
    }

    @Test func elementsMatchR4() throws {
        let shot = try #require(type("Immunization"))
        #expect(shot.marks.filter(\.isRequired).map(\.name) == ["status", "vaccineCode", "patient", "occurrence[x]"])
        #expect(shot.marks.last?.choices == ["occurrenceDateTime", "occurrenceString"])
        #expect(shot.elements["note"]?.repeats == true)
        #expect(shot.elements["contained"]?.repeats == true)
        #expect(shot.elements["lotNumber"]?.repeats == false)
        #expect(shot.isDomainResource)
        #expect(type("Bundle")?.isDomainResource == false)
        #expect(type("Immunization.Performer")?.elements["modifierExtension"] != nil)
        #expect(type("Coding")?.elements["modifierExtension"] == nil)
        #expect(type("Age")?.elements["comparator"] != nil)
        #expect(type("Extension")?.marks.last?.choices.count == 50)
        #expect(type("Extension")?.elements["valueUsageContext"]?.repeats == false)
        #expect(type("AdministrativeGender")?.codes == ["male", "female", "other", "unknown"])
    }

    @Test(arguments: [
        "", "Immunizatio", "Immunizations", "immunization", "HumanName", "DomainResource", "Resource", "Element",
        "ResourceType",
        "Immunization ", "Immunization\n", "Tas\u{212A}", "=", "-", "@", "\u{1F489}", "Bundle.Entry", "OpenType",
    ]) func rejectsNamesThatAreNotResources(_ name: String) {
        var types = FHIRTypes()
        let type = types.resource(named: UTF8Text(name))
        #expect(type?.name == nil)
    }
}
