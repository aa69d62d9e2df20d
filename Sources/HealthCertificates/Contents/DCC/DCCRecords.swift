import Encodings
import FHIR

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

extension DCC {
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
