package import Encodings
import FHIR
@_spi(_Unicode) import Swift

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

/// Dates in health certificates, as they are written.
package enum ContentDate {
    /// The day of a date that is written as `YYYY-MM-DD`, with or without a time after it; nil if it is no date.
    package static func date(_ text: UTF8Text) -> UTF8Text? {
        if isDay(text.utf8.span) { return text }
        let bytes = Array(text.utf8)[...].trimmingWhiteSpace()
        let day = bytes.prefix(10)
        guard isDay(day.span), bytes.count == 10 || moment(bytes) != nil else { return nil }
        return UTF8Text(decoding: day)
    }

    /// A day as `date` reads it, or a month or a year; nil for other text.
    static func dayOrInterval(_ text: UTF8Text) -> UTF8Text? {
        if let day = date(text) { return day }
        return birthDate(text).flatMap { $0.utf8.count < 10 ? $0 : nil }
    }

    /// A date and time with a zone, which may be `Z`, `±hh:mm`, `±hhmm` or `±hh`; nil if it is none. The text is returned as it
    /// is, without white space around it.
    package static func time(_ text: UTF8Text) -> UTF8Text? {
        let bytes = Array(text.utf8)[...].trimmingWhiteSpace()
        guard let date = FHIRDate(String(decoding: withWholeZone(bytes), as: UTF8.self)),
            date.zoneOffset != nil
        else { return nil }
        switch date.precision {
        case .second, .fraction: return UTF8Text(decoding: bytes)
        case .year, .month, .day, .minute: return nil
        }
    }

    /// A date that `date` or `time` accepts, as an interval; nil for other text.
    static func interval(_ text: UTF8Text) -> FHIRDate? {
        let bytes = Array(text.utf8)[...].trimmingWhiteSpace()
        return bytes.count > 10 ? moment(bytes) : FHIRDate(UTF8Text(decoding: bytes))
    }

    /// The date of birth up to the day: `YYYY-MM-DD`, `YYYY-MM` or `YYYY`; nil if it is empty or no date.
    package static func birthDate(_ text: UTF8Text) -> UTF8Text? {
        let bytes = Array(text.utf8)[...].trimmingWhiteSpace()
        // Whatever time follows the day does not change it.
        let day = bytes.prefix(10)
        if isDay(day.span) {
            let isTime = bytes.dropFirst(10).allSatisfy { (0x30...0x39).contains($0) || "Tt :.+-Zz".utf8.contains($0) }
            return isTime ? UTF8Text(decoding: day) : nil
        }
        let trimmed = UTF8Text(decoding: bytes)
        guard let date = FHIRDate(trimmed) else { return nil }
        switch date.precision {
        case .year, .month, .day: return trimmed
        case .minute, .second, .fraction: return nil
        }
    }

    /// Whether a text is a day of the calendar, written as `YYYY-MM-DD`.
    private static func isDay(_ text: Span<UInt8>) -> Bool {
        guard text.count == 10, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-") else { return false }
        var numbers: (Int64, Int64, Int64) = (0, 0, 0)
        for place in 0..<10 where place != 4 && place != 7 {
            guard (0x30...0x39).contains(text[place]) else { return false }
            let digit = Int64(text[place] - 0x30)
            switch place {
            case ..<4: numbers.0 = numbers.0 * 10 + digit
            case ..<7: numbers.1 = numbers.1 * 10 + digit
            default: numbers.2 = numbers.2 * 10 + digit
            }
        }
        return numbers.0 > 0 && CalendarDate(year: numbers.0, month: numbers.1, day: numbers.2) != nil
    }

    /// A date with a time, with a zone or without; nil for other text. A space may stand for the `T`.
    ///
    /// - Parameter text: more than 10 bytes.
    private static func moment(_ text: ArraySlice<UInt8>) -> FHIRDate? {
        guard text.count <= 48 else { return nil }
        var text = withWholeZone(text)
        if text[10] == 0x20 || text[10] == UInt8(ascii: "t") { text[10] = UInt8(ascii: "T") }
        return FHIRDate(String(decoding: text, as: UTF8.self))
    }

    /// The text with `±hh:mm` for a zone that is written as `±hh` or `±hhmm` (ISO 8601, and the formats of `sc` in the
    /// schema's description).
    private static func withWholeZone(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var text = Array(text)
        guard let sign = text.lastIndex(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }), sign > 10,
            text[(sign + 1)...].allSatisfy({ (0x30...0x39).contains($0) })
        else { return text }
        switch text.count - sign - 1 {
        case 2: text += ":00".utf8
        case 4: text.insert(UInt8(ascii: ":"), at: sign + 3)
        default: break
        }
        return text
    }
}

/// The name of a person in a certificate.
enum PersonName {
    /// The given name and the family name in Unicode's normal form C; if both are missing, the transliterated ones, with spaces
    /// for `<`.
    static func text(_ names: CBORValue) -> UTF8Text? {
        let own = [names["gn"]?.plainText, names["fn"]?.plainText].compactMap(\.self)
        return own.isEmpty ? transliterated(names) : UTF8Text(own.map { normalized($0) }.joined(separator: " "))
    }

    /// The transliterated given name and family name, with spaces for `<`; nil if the certificate has neither.
    static func transliterated(_ names: CBORValue) -> UTF8Text? {
        let latin = [names["gnt"]?.plainText, names["fnt"]?.plainText].compactMap(\.self)
        guard latin.contains(where: { $0.utf8.contains { $0 != UInt8(ascii: "<") } }) else { return nil }
        return UTF8Text(
            decoding: latin.map { Array($0.utf8) }.joined(separator: "<".utf8).map {
                $0 == UInt8(ascii: "<") ? 0x20 : $0
            })
    }

    /// A transliterated name with spaces for `<`; nil if it has no letters.
    static func spaced(_ name: CBORValue) -> UTF8Text? {
        guard let name = name.plainText, name.utf8.contains(where: { $0 != UInt8(ascii: "<") }) else { return nil }
        return UTF8Text(decoding: name.utf8.map { $0 == UInt8(ascii: "<") ? 0x20 : $0 })
    }

    /// The longest name that is normalized, in bytes. Normalizing takes quadratic time for some texts.
    private static let maximumLength = 1024

    /// A name in Unicode's normal form C.
    static func normalized(_ text: UTF8Text) -> String {
        guard text.utf8.count <= maximumLength else { return text.description }
        return String(String.UnicodeScalarView(text.description._nfc))
    }
}
