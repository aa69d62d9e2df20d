package import Credentials
package import Encodings
package import FHIR

/// The kinds of record in a Digital COVID Certificate. A certificate has exactly one record.
package enum RecordGroup: String, Sendable, CaseIterable {
    case vaccination = "v"
    case test = "t"
    case recovery = "r"

    /// The group in a word.
    package var name: String {
        switch self {
        case .vaccination: "vaccination"
        case .test: "test"
        case .recovery: "recovery"
        }
    }

    /// The group in words.
    var words: String { "a \(name)" }
}

/// The content of a Digital COVID Certificate: the person and one record (JSON schema 1.3.3).
package struct DCC: Sendable {
    /// The whole content.
    package let value: CBORValue
    /// The kind of the record.
    package let recordGroup: RecordGroup
    /// The record.
    package let record: CBORValue
    /// The person's names.
    package let names: CBORValue
    /// The deviations from the schema that do not make the certificate invalid.
    package let warnings: [CredentialWarning]

    package static let kind = HealthContentKind(
        number: 1, sourceType: "eu-digital-covid-certificate", plural: "EU certificates", domains: ["DCC", "DDCC"],
        isOfListsWithoutDomains: true, requiresExpiry: true, isIssuedByCountry: true, isLenient: false, isShown: true,
        read: { value throws(VerificationFailure) in try DCC(value) })

    /// Reads the content, strictly.
    ///
    /// - Throws: `VerificationFailure` with `malformed-payload`.
    init(_ value: CBORValue) throws(VerificationFailure) {
        self.value = try Self.map(value)
        let check = DCCSchemaCheck(value)
        if let problem = check.problems.first(where: \.isFatal) { throw CWTClaims.malformed(problem.message) }
        guard let first = check.records.first, let names = check.names else {
            // Cannot happen: both are required.
            throw CWTClaims.malformed("the certificate has no record or no name")
        }
        (recordGroup, record) = first
        self.names = names
        warnings = check.problems.map { CredentialWarning($0.warningCode, $0.message, path: $0.path) }
    }

    /// The content, which has to be a map.
    ///
    /// - Throws: `VerificationFailure` with `malformed-payload`.
    package static func map(_ value: CBORValue) throws(VerificationFailure) -> CBORValue {
        guard value.kind == .map else {
            throw CWTClaims.malformed(
                "the EU's certificate (key 1) must be a map, but its type is \(value.kind.rawValue)")
        }
        return value
    }
}

extension DCC: HealthContent {
    package var words: String { "a certificate of \(recordGroup.words)" }
    package var group: RecordGroup? { recordGroup }
    package var revocableRecord: CBORValue? { record }
    /// `is` of the record.
    package var issuerName: UTF8Text? { record["is"]?.plainText }

    package func contents(names: CodeNames, at moment: NumericDate) -> CardContents? {
        CardContents(self, names: names, at: FHIRDate(moment))
    }
}

extension CBORValue {
    /// The content of a text, or of a date that is tagged as one (RFC 8949 §3.4.1, RFC 8943); nil for other items.
    package var dateText: UTF8Text? {
        if let tagged, tagged.number == 0 || tagged.number == 1004 {
            return tagged.value.text.map { UTF8Text(decoding: $0) }
        }
        return text.map { UTF8Text(decoding: $0) }
    }

    /// The content of a text without white space around it; nil for other items, and if nothing is left.
    package var plainText: UTF8Text? {
        guard let text else { return nil }
        let trimmed = text.trimmingWhiteSpace()
        return trimmed.isEmpty ? nil : UTF8Text(decoding: trimmed)
    }
}

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

    /// The date of the record up to the day, as it is written; nil if it is no date.
    fileprivate var day: FHIRDate? {
        let text = recordDate.flatMap { text in recordGroup == .test ? ContentDate.time(text) : text }
        return text.flatMap { ContentDate.date($0) }.flatMap { FHIRDate($0) }
    }

    /// The text of the record's date.
    fileprivate var recordDate: UTF8Text? {
        switch recordGroup {
        case .vaccination: record["dt"]?.dateText
        case .test: record["sc"]?.dateText
        case .recovery: record["fr"]?.dateText
        }
    }

    /// The record's date, as it is written; nil if it is no date.
    fileprivate var date: UTF8Text? {
        guard let recordDate else { return nil }
        if recordGroup == .test { return ContentDate.time(recordDate) }
        return ContentDate.date(recordDate) == nil
            ? nil : UTF8Text(decoding: Array(recordDate.utf8)[...].trimmingWhiteSpace())
    }
}

extension CardContents {
    /// The person and the record of a certificate.
    ///
    /// - Parameters:
    ///   - content: the content of the certificate.
    ///   - names: names for codes.
    ///   - moment: the moment for which the record is read.
    init(_ content: DCC, names: CodeNames, at moment: FHIRDate) {
        let record = Record(content, names: names, at: moment)
        let person = Subject(
            name: PersonName.text(content.names), transliterated: PersonName.transliterated(content.names),
            birthDate: content.value["dob"]?.dateText.flatMap { ContentDate.birthDate($0) })
        self.init(subjects: [person], records: [record], relevantDate: content.day)
    }
}

extension Record {
    fileprivate init(_ content: DCC, names: CodeNames, at moment: FHIRDate) {
        let values = content.record
        let code = content.code
        let name = { (member: String, set: EUValueSet) in
            values[member]?.plainText.flatMap { names.name(of: $0, in: set) }
        }
        let disease = code("tg", .disease)
        self.init(ofOnlyPerson: "Immunization", .immunization)
        self.disease = disease
        diseaseName = name("tg", .disease)?.display
        date = content.date
        interval = content.date.flatMap { ContentDate.interval($0) }
        hasUnreadableDate = content.date == nil
        country = values["co"]?.plainText
        identifier = values["ci"]?.plainText
        var isUnreadable = false
        switch content.recordGroup {
        case .vaccination:
            status = "completed"
            concept = CodedText(
                name("mp", .product),
                codes: [code("mp", .product), code("vp", .prophylaxis), code("ma", .holder), disease])
            manufacturerCode = code("ma", .holder)
            manufacturer = name("ma", .holder)?.display ?? values["ma"]?.plainText
            if let number = values["dn"]?.wholeNumber, let total = values["sd"]?.wholeNumber {
                dose = Dose(number: number, of: total)
            }
        case .test:
            resourceType = "Observation"
            type = .laboratory
            status = "final"
            concept = Self.test(
                values, name, codes: [code("tt", .testType), code("ma", .device), code("tr", .testResult), disease])
            performer = values["tc"]?.plainText
            manufacturerCode = code("ma", .device)
            manufacturer = name("ma", .device)?.display ?? values["ma"]?.plainText
            let found = CodedText(name("tr", .testResult), codes: [code("tr", .testResult)])
            if found.text != nil { results = [RecordResult(coded: found)] }
        case .recovery:
            resourceType = "Condition"
            type = .recovery
            concept = CodedText(name("tg", .disease), codes: [disease])
            validFrom = values["df"]?.dateText.flatMap { ContentDate.date($0) }
            validUntil = values["du"]?.dateText.flatMap { ContentDate.date($0) }
            isUnreadable = validFrom == nil || validUntil == nil
        }
        setLapse(at: moment, RecordValidity(from: validFrom, until: validUntil, isUnreadable: isUnreadable))
    }

    /// The name of a test: that of its type, and that of the device or of the test itself.
    private static func test(
        _ values: CBORValue, _ name: (String, EUValueSet) -> CodeName?, codes: [Code?]
    ) -> CodedText {
        let type = name("tt", .testType)
        let device = name("ma", .device)
        let detail = device?.display ?? values["nm"]?.plainText
        let display: UTF8Text? =
            if let type, let detail { UTF8Text("\(type.display), \(detail)") } else { type?.display ?? detail }
        // The issuer's own words, unless the type or the device is known.
        let source = type?.source ?? device?.source ?? (detail == nil ? nil : .issuer)
        return CodedText(display: display, source: source, codes: codes.compactMap(\.self))
    }
}

extension CodedText {
    fileprivate init(_ name: CodeName?, codes: [Code?]) {
        self.init(display: name?.display, source: name?.source, codes: codes.compactMap(\.self))
    }
}
