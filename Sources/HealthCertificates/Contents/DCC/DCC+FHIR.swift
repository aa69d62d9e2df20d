import CBOR
import FHIR
import StrictJSON

extension DCC {
    /// The certificate as a FHIR Bundle (R4): a Patient, and the record as Immunization, Observation or Condition.
    ///
    /// What the certificate lacks, or has in a form that FHIR does not allow, is left out.
    var storableBundle: JSONValue? {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("resourceType", "Bundle")
            writer.member("type", "collection")
            writer.name("entry")
            writer.array { writer in
                entry("resource:0", "Patient", &writer, patient)
                switch group {
                case .vaccination: entry("resource:1", "Immunization", &writer, immunization)
                case .test: entry("resource:1", "Observation", &writer, observation)
                case .recovery: entry("resource:1", "Condition", &writer, condition)
                }
            }
        }
        return try? JSONDocument.parse(writer.bytes)
    }

    private func entry(
        _ url: String, _ type: String, _ writer: inout JSONWriter, _ members: (inout JSONWriter) -> Void
    ) {
        writer.object { writer in
            writer.member("fullUrl", url)
            writer.name("resource")
            writer.object { writer in
                writer.member("resourceType", type)
                members(&writer)
            }
        }
    }

    private func patient(_ writer: inout JSONWriter) {
        var (family, given) = (names["fn"]?.plainText, names["gn"]?.plainText)
        if family == nil, given == nil {
            family = names["fnt"].flatMap(PersonName.spaced)
            given = names["gnt"].flatMap(PersonName.spaced)
        }
        if family != nil || given != nil {
            writer.name("name")
            writer.array { writer in
                writer.object { writer in
                    if let family { writer.member("family", family) }
                    if let given {
                        writer.name("given")
                        writer.array { $0.value(given) }
                    }
                }
            }
        }
        if let birthDate = value["dob"]?.dateText.flatMap(DCCDate.birthDate) {
            writer.member("birthDate", birthDate)
        }
    }

    private func immunization(_ writer: inout JSONWriter) {
        identifier(&writer)
        writer.member("status", "completed")
        required("vaccineCode", [code("vp", .prophylaxis), code("mp", .product)], &writer)
        patientReference("patient", &writer)
        if let date = date("dt") {
            writer.member("occurrenceDateTime", date)
        } else {
            writer.member("occurrenceString", "unknown")
        }
        identified("manufacturer", code("ma", .holder), &writer)
        // FHIR asks for the number of the dose.
        guard let dose = positive("dn") else { return }
        writer.name("protocolApplied")
        writer.array { writer in
            writer.object { writer in
                if let disease = code("tg", .disease) {
                    writer.name("targetDisease")
                    writer.array { writer in writer.object { coding([disease], &$0) } }
                }
                writer.member("doseNumberPositiveInt", dose)
                if let total = positive("sd") { writer.member("seriesDosesPositiveInt", total) }
            }
        }
    }

    private func observation(_ writer: inout JSONWriter) {
        identifier(&writer)
        writer.member("status", "final")
        writer.name("category")
        writer.array { writer in
            writer.object { writer in
                coding([Code(system: Self.hl7("observation-category"), code: "laboratory")], &writer)
            }
        }
        required("code", [code("tt", .testType)], &writer)
        patientReference("subject", &writer)
        if let time = date("sc") { writer.member("effectiveDateTime", time) }
        if let centre = record["tc"]?.plainText {
            writer.name("performer")
            writer.array { writer in writer.object { $0.member("display", centre) } }
        }
        optional("valueCodeableConcept", code("tr", .testResult), &writer)
        if let name = record["nm"]?.plainText {
            writer.name("method")
            writer.object { $0.member("text", name) }
        }
        identified("device", code("ma", .device), &writer)
    }

    private func condition(_ writer: inout JSONWriter) {
        identifier(&writer)
        optional("clinicalStatus", Code(system: Self.hl7("condition-clinical"), code: "resolved"), &writer)
        optional("verificationStatus", Code(system: Self.hl7("condition-ver-status"), code: "confirmed"), &writer)
        optional("code", code("tg", .disease), &writer)
        patientReference("subject", &writer)
        if let date = date("fr") { writer.member("onsetDateTime", date) }
    }

    // MARK: Members

    private static func hl7(_ name: String) -> UTF8Text { UTF8Text("http://terminology.hl7.org/CodeSystem/" + name) }

    /// The code of a member, with the system that reports give it.
    private func code(_ name: String, _ set: EUValueSet) -> Code? {
        record[name]?.plainText.map { Code(system: set.entry(of: $0)?.system ?? set.defaultSystem, code: $0) }
    }

    /// The date of a member, if it is one that FHIR allows (`dateTime`, R4 §2.24.0.1): a time has seconds and a zone.
    private func date(_ name: String) -> UTF8Text? {
        guard let text = record[name]?.dateText, let date = FHIRDate(text) else { return nil }
        switch date.precision {
        case .year, .month, .day: return text
        case .minute: return nil
        case .second, .fraction: return date.zoneOffset == nil ? nil : text
        }
    }

    /// The number of a member, if FHIR allows it (`positiveInt`).
    private func positive(_ name: String) -> Int? {
        record[name]?.wholeNumber.flatMap { (1...2_147_483_647).contains($0) ? Int($0) : nil }
    }

    private func identifier(_ writer: inout JSONWriter) {
        guard let identifier = record["ci"]?.plainText else { return }
        writer.name("identifier")
        writer.array { writer in writer.object { $0.member("value", identifier) } }
    }

    private func patientReference(_ name: StaticString, _ writer: inout JSONWriter) {
        writer.name(name)
        writer.object { $0.member("reference", "resource:0") }
    }

    private func coding(_ codes: [Code], _ writer: inout JSONWriter) {
        writer.name("coding")
        writer.array { writer in
            for code in codes {
                writer.object { writer in
                    if let system = code.system { writer.member("system", system) }
                    writer.member("code", code.code)
                }
            }
        }
    }

    /// A concept that FHIR asks for.
    private func required(_ name: StaticString, _ codes: [Code?], _ writer: inout JSONWriter) {
        let codes = codes.compactMap(\.self)
        writer.name(name)
        writer.object { writer in
            if codes.isEmpty { writer.member("text", "unknown") } else { coding(codes, &writer) }
        }
    }

    private func optional(_ name: StaticString, _ code: Code?, _ writer: inout JSONWriter) {
        guard let code else { return }
        writer.name(name)
        writer.object { coding([code], &$0) }
    }

    /// A reference that only identifies what it means.
    private func identified(_ name: StaticString, _ code: Code?, _ writer: inout JSONWriter) {
        guard let code else { return }
        writer.name(name)
        writer.object { writer in
            writer.name("identifier")
            writer.object { writer in
                if let system = code.system { writer.member("system", system) }
                writer.member("value", code.code)
            }
        }
    }
}
