package import Encodings

/// What a record is about: its type and its codes, without words, dates and persons.
///
/// They take a small part of the time that a whole record takes.
package struct RecordTopic: Sendable, Hashable {
    /// The FHIR resource type.
    package let resourceType: UTF8Text
    /// The clinical type, or nil for a resource that has none.
    package let type: RecordType?
    /// The codes of the subject matter, in the order of the card.
    package let codes: [Code]
    /// The codes of the parts that were measured, in the order of the card.
    package let partCodes: [Code]

    /// The topic of a record.
    package init(_ record: Record) {
        resourceType = record.resourceType
        type = record.type
        codes = record.codes
        partCodes = Self.partCodes(of: record.results)
    }

    /// The topic of the record that a resource is.
    private init(_ resource: FHIRResource, about concept: CodeableConcept?) {
        resourceType = resource.resourceType
        type = resource.type
        codes = concept?.codes ?? []
        // Only components have labels, and their codes need no names.
        partCodes =
            resource.value["component"] == nil
            ? [] : Self.partCodes(of: RecordResult.all(of: resource, names: CodeNames()))
    }

    private static func partCodes(of results: [RecordResult]) -> [Code] { results.flatMap { $0.label?.codes ?? [] } }

    /// The topics of the records of a Bundle, as `CardContents` has them.
    ///
    /// - Parameter bundle: the Bundle.
    package static func all(in bundle: JSONValue) -> [RecordTopic] {
        var topics: [RecordTopic] = []
        for entry in bundle.all("entry") {
            guard let resource = BundleEntry(value: entry).resource, resource.isRecord else { continue }
            let concept = resource.code
            // What references lead to belongs to several records, and the text that it may lend them has a limit.
            if concept == nil, resource.codeReference != nil {
                let contents = CardContents(FHIRBundle(bundle), fhirVersion: nil, names: CodeNames())
                return contents.records.map { RecordTopic($0) }
            }
            topics.append(RecordTopic(resource, about: concept))
        }
        return topics
    }
}
