package import Encodings
import FHIR

extension DCC {
    /// The certificate as a FHIR Bundle (R4): a Patient, and the record as Immunization, Observation or Condition.
    ///
    /// What the certificate lacks, or has in a form that FHIR does not allow, is left out.
    package var storableBundle: JSONValue? {
        switch recordGroup {
        case .vaccination: ContentBundle.bundle(of: patient, [("Immunization", immunization)])
        case .test: ContentBundle.bundle(of: patient, [("Observation", observation)])
        case .recovery: ContentBundle.bundle(of: patient, [("Condition", condition)])
        }
    }

    package var holderIdentity: [UInt8]? { ContentBundle.identity(["nam", "dob"], of: value) }

    private func patient(_ writer: inout JSONWriter) {
        let own = (family: names["fn"]?.plainText, given: names["gn"]?.plainText)
        let latin = (
            family: names["fnt"].flatMap(PersonName.spaced), given: names["gnt"].flatMap(PersonName.spaced)
        )
        let hasOwn = own.family != nil || own.given != nil
        let isOther = Self.isOther(latin.family, than: own.family) || Self.isOther(latin.given, than: own.given)
        if hasOwn || isOther {
            writer.array("name") { writer in
                if hasOwn { ContentBundle.name(family: own.family, given: own.given, &writer) }
                if isOther { ContentBundle.name(family: latin.family, given: latin.given, &writer) }
            }
        }
        if let birthDate = value["dob"]?.dateText.flatMap(ContentDate.birthDate) {
            writer.member("birthDate", birthDate)
        }
    }

    private func immunization(_ writer: inout JSONWriter) {
        identifier(&writer)
        writer.member("status", "completed")
        ContentBundle.required("vaccineCode", [code("vp", .prophylaxis), code("mp", .product)], &writer)
        ContentBundle.patient("patient", &writer)
        ContentBundle.occurrence(date("dt"), &writer)
        identified("manufacturer", code("ma", .holder), &writer)
        // FHIR asks for the number of the dose.
        guard let dose = positive("dn") else { return }
        writer.only("protocolApplied") { writer in
            if let disease = code("tg", .disease) {
                writer.only("targetDisease") { ContentBundle.coding([disease], &$0) }
            }
            writer.member("doseNumberPositiveInt", dose)
            if let total = positive("sd") { writer.member("seriesDosesPositiveInt", total) }
        }
    }

    private func observation(_ writer: inout JSONWriter) {
        identifier(&writer)
        writer.member("status", "final")
        writer.only("category") { ContentBundle.coding([Code(hl7: "observation-category", "laboratory")], &$0) }
        ContentBundle.required("code", [code("tt", .testType)], &writer)
        ContentBundle.patient("subject", &writer)
        if let time = date("sc") { writer.member("effectiveDateTime", time) }
        if let centre = record["tc"]?.plainText { writer.only("performer") { $0.member("display", centre) } }
        optional("valueCodeableConcept", code("tr", .testResult), &writer)
        if let name = record["nm"]?.plainText { writer.object("method") { $0.member("text", name) } }
        identified("device", code("ma", .device), &writer)
    }

    private func condition(_ writer: inout JSONWriter) {
        identifier(&writer)
        optional("clinicalStatus", Code(hl7: "condition-clinical", "resolved"), &writer)
        optional("verificationStatus", Code(hl7: "condition-ver-status", "confirmed"), &writer)
        optional("code", code("tg", .disease), &writer)
        ContentBundle.patient("subject", &writer)
        if let date = date("fr") { writer.member("onsetDateTime", date) }
    }

    // MARK: Members

    /// Whether a transliterated name differs from the name itself in more than case.
    private static func isOther(_ latin: UTF8Text?, than own: UTF8Text?) -> Bool {
        guard let latin else { return false }
        guard let own else { return true }
        return !PersonName.normalized(own).lowercased().utf8.elementsEqual(latin.description.lowercased().utf8)
    }

    /// The code of a member, with the system that reports give it.
    func code(_ name: String, _ set: EUValueSet) -> Code? {
        record[name]?.plainText.map { Code(system: set.entry(of: $0)?.system ?? set.defaultSystem, code: $0) }
    }

    /// The date of a member, if FHIR allows it.
    private func date(_ name: String) -> UTF8Text? { ContentBundle.date(record[name]?.dateText) }

    /// The number of a member, if FHIR allows it (`positiveInt`).
    private func positive(_ name: String) -> Int? {
        record[name]?.wholeNumber.flatMap { (1...2_147_483_647).contains($0) ? Int($0) : nil }
    }

    private func identifier(_ writer: inout JSONWriter) {
        guard let identifier = record["ci"]?.plainText else { return }
        writer.only("identifier") { $0.member("value", identifier) }
    }

    private func optional(_ name: StaticString, _ code: Code?, _ writer: inout JSONWriter) {
        guard let code else { return }
        writer.object(name) { ContentBundle.coding([code], &$0) }
    }

    /// A reference that only identifies what it means.
    private func identified(_ name: StaticString, _ code: Code?, _ writer: inout JSONWriter) {
        guard let code else { return }
        writer.object(name) { writer in
            writer.object("identifier") { writer in
                if let system = code.system { writer.member("system", system) }
                writer.member("value", code.code)
            }
        }
    }
}
