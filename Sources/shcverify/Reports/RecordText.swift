import FHIR
import JSON

/// The parts of a record in words, as every report has them.
enum RecordText {
    /// What the record is of: words, where there are any, else the code and its system, else the resource's type. Where the
    /// issuer's words differ from those of the code list, both are shown.
    static func what(_ record: Record) -> String {
        if let display = record.display {
            if let words = otherWords(record), words.asciiLowercased != display.asciiLowercased {
                return "\(display) (the issuer says: \(words))"
            }
            return display.description
        }
        guard let code = record.codes.first else { return record.resourceType.description }
        return [code.system.map(systemName), code.code.description].compactMap(\.self).joined(separator: " ")
    }

    /// Whom the record names, of the persons on the card.
    static func person(of record: Record, among subjects: [Subject]) -> String {
        guard let index = record.subjectIndex, subjects.indices.contains(index) else { return "not linked to a person" }
        return subjects[index].name?.description ?? "person \(index + 1)"
    }

    /// The status, and whatever else changes what the record means.
    static func status(_ record: Record) -> String {
        var parts = [record.status, record.verificationStatus].compactMap { $0?.description }
        if record.isNotDone { parts.append("NOT DONE") }
        if record.isSubpotent == true { parts.append("SUBPOTENT") }
        return parts.joined(separator: ", ")
    }

    /// The result with what the issuer says of it: `6.30 mg/dL (high; usual 3.5 to 5.0 mg/dL)`.
    static func result(_ record: Record) -> String? {
        let parts = record.results.compactMap { result -> String? in
            guard let value = result.text ?? result.absentReason?.text else { return nil }
            var notes = result.interpretation.compactMap { $0.text?.description }
            if let range = result.referenceRange { notes.append("usual \(range)") }
            let label = result.label?.text.map { "\($0): " } ?? ""
            return label + value.description + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// The issuer's own words, if the record goes by other ones.
    static func otherWords(_ record: Record) -> UTF8Text? {
        record.displaySource == .issuer ? nil : record.concept.issuerWords
    }

    /// Codes as FHIR searches write them (R4, "token"): `system|code`, separated by commas, with a backslash before a character
    /// that stands for itself.
    static func tokens(_ codes: [Code]) -> String {
        let escaped = { (text: UTF8Text) in
            text.unicodeScalars.reduce(into: "") { result, scalar in
                if "\\|,$".unicodeScalars.contains(scalar) { result.unicodeScalars.append("\\") }
                result.unicodeScalars.append(scalar)
            }
        }
        return codes.map { "\(escaped($0.system ?? ""))|\(escaped($0.code))" }.joined(separator: ",")
    }

    /// Code systems by the name that people know them by; an unknown one by its address.
    private static func systemName(_ system: UTF8Text) -> String {
        switch system {
        case Code.cvx: "CVX"
        case Code.snomed: "SNOMED CT"
        case Code.loinc: "LOINC"
        case Code.icd11: "ICD-11"
        default: system.description
        }
    }
}
