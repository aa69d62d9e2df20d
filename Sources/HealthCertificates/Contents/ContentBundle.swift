import Encodings
import FHIR

/// Makes a FHIR Bundle (R4) of a content that has none: a Patient, and records that refer to it.
enum ContentBundle {
    /// A resource: its type, and what writes its other members.
    typealias Resource = (type: String, members: (inout JSONWriter) -> Void)

    /// The Bundle with a Patient and records.
    static func bundle(of patient: @escaping (inout JSONWriter) -> Void, _ records: [Resource]) -> JSONValue? {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("resourceType", "Bundle")
            writer.member("type", "collection")
            writer.array("entry") { writer in
                for (number, resource) in ([("Patient", patient)] + records).enumerated() {
                    writer.object { writer in
                        writer.member("fullUrl", "resource:\(number)")
                        writer.object("resource") { writer in
                            writer.member("resourceType", resource.type)
                            resource.members(&writer)
                        }
                    }
                }
            }
        }
        return try? JSONDocument.parse(writer.bytes)
    }

    /// The octets of members of a content, by which two contents are compared. In maps the order of members does not matter.
    static func identity(_ names: [String], of content: CBORValue) -> [UInt8] {
        names.flatMap { name -> [UInt8] in
            guard let value = content[name] else { return [0xFF] }
            guard let members = value.members else { return Array(value.encoded) }
            // Each item says where it ends.
            let sorted = members.map { Array($0.key.encoded + $0.value.encoded) }
                .sorted { $0.lexicographicallyPrecedes($1) }
            return [0xFE] + Array(sorted.joined()) + [0xFF]
        }
    }

    /// A name of a person.
    static func name(family: UTF8Text?, given: UTF8Text?, _ writer: inout JSONWriter) {
        writer.object { writer in
            if let family { writer.member("family", family) }
            if let given {
                writer.array("given") { $0.value(given) }
            }
        }
    }

    /// A date, if it is one that FHIR allows (`dateTime`, R4 §2.24.0.1): a time has seconds and a zone.
    static func date(_ text: UTF8Text?) -> UTF8Text? {
        guard let text, let date = FHIRDate(text) else { return nil }
        switch date.precision {
        case .year, .month, .day: return text
        case .minute: return nil
        case .second, .fraction: return date.zoneOffset == nil ? nil : text
        }
    }

    /// The reference to the Patient.
    static func patient(_ name: StaticString, _ writer: inout JSONWriter) {
        writer.object(name) { $0.member("reference", "resource:0") }
    }

    /// When something was given. FHIR asks for it.
    static func occurrence(_ date: UTF8Text?, _ writer: inout JSONWriter) {
        if let date {
            writer.member("occurrenceDateTime", date)
        } else {
            writer.member("occurrenceString", "unknown")
        }
    }

    static func coding(_ codes: [Code], _ writer: inout JSONWriter) {
        writer.array("coding") { writer in
            for code in codes {
                writer.object { writer in
                    if let system = code.system { writer.member("system", system) }
                    writer.member("code", code.code)
                }
            }
        }
    }

    /// A concept that FHIR asks for.
    static func required(_ name: StaticString, _ codes: [Code?], _ writer: inout JSONWriter) {
        let codes = codes.compactMap(\.self)
        writer.object(name) { writer in
            if codes.isEmpty { writer.member("text", "unknown") } else { coding(codes, &writer) }
        }
    }
}

extension JSONWriter {
    /// A member that is an array with one object.
    mutating func only(_ name: StaticString, _ members: (inout JSONWriter) -> Void) {
        array(name) { $0.object(members) }
    }
}

extension Code {
    /// A code of one of HL7's systems.
    init(hl7 system: String, _ code: UTF8Text) {
        self.init(system: UTF8Text("http://terminology.hl7.org/CodeSystem/" + system), code: code)
    }
}
