package import Encodings

/// From when until when a record is valid, if it says so: a vaccination on an ICVP, a recovery, an insurance card.
package struct RecordValidity: Sendable, Hashable {
    /// The first day, or an interval in which it is.
    var from: FHIRDate?
    /// The last day, or an interval in which it is.
    var until: FHIRDate?
    /// Whether the record has something there that is no date. It may say anything.
    var isUnreadable = false

    /// A validity whose days are given as texts.
    package init(from: UTF8Text?, until: UTF8Text?, isUnreadable: Bool = false) {
        self.from = from.flatMap { FHIRDate($0) }
        self.until = until.flatMap { FHIRDate($0) }
        self.isUnreadable =
            isUnreadable || from != nil && self.from == nil || until != nil && self.until == nil
    }

    /// The validity that a `Period` states; none without one.
    init(period: JSONValue?) {
        let period = period.flatMap { $0.isNull ? nil : $0 }
        let isReadable = { (name: String) in period?.optional(name).map { $0.string?.utf8.isEmpty == false } ?? true }
        self.init(
            from: period?.text("start"), until: period?.text("end"),
            isUnreadable: period != nil && period?.members == nil || !isReadable("start") || !isReadable("end"))
    }

    /// Whether the validity has ended: by days in UTC, and a partial date is the interval that it names.
    package func hasEnded(at moment: FHIRDate) -> Bool { until.map { Self.day($0).isBefore(moment.dayInUTC) } ?? false }

    /// Whether the validity has not begun.
    package func hasNotBegun(at moment: FHIRDate) -> Bool {
        from.map { moment.dayInUTC.isBefore(Self.day($0)) } ?? false
    }

    /// The day in UTC of a date with a time and a zone; any other date as it is.
    private static func day(_ date: FHIRDate) -> FHIRDate { date.zoneOffset == nil ? date : date.dayInUTC }

    /// Why the record is not in force at a moment; nil if it is.
    func lapse(at moment: FHIRDate) -> RecordLapse? {
        if let until, hasEnded(at: moment) { return .ended(until) }
        if let from, hasNotBegun(at: moment) { return .notBegun(from) }
        return isUnreadable ? .unreadable : nil
    }
}

/// Why a record is not in force at the moment for which it was read.
public enum RecordLapse: Sendable, Hashable {
    /// It was valid until this day.
    case ended(FHIRDate)
    /// It is valid only from this day on.
    case notBegun(FHIRDate)
    /// Something that should say from when until when it is valid is no date.
    case unreadable
    /// It is dated after that moment.
    case ahead(FHIRDate)
}

extension RecordLapse: CustomStringConvertible {
    /// The lapse in words, such as `ended on 2025-01-01`.
    public var description: String {
        switch self {
        case .ended(let date): "ended on \(date.text.prefix(40))"
        case .notBegun(let date): "valid only from \(date.text.prefix(40)) on"
        case .unreadable: "its dates of validity cannot be read"
        case .ahead(let date): "dated in the future, \(date.text.prefix(40))"
        }
    }
}

/// What the codes of HL7's International Patient Summary say for "none" and "not known" (`absent-unknown-uv-ips`).
enum AbsenceCode {
    private static let system: UTF8Text = "http://hl7.org/fhir/uv/ips/CodeSystem/absent-unknown-uv-ips"
    /// The same code system, named by its OID.
    private static let systemOID: UTF8Text = "urn:oid:2.16.840.1.113883.5.1150.1"

    /// What a code says; nil if it is of another code system.
    static func name(of code: Code) -> CodeName? {
        // Most systems have shorter names.
        guard let given = code.system, given.utf8.count >= systemOID.utf8.count else { return nil }
        let named = given.asciiLowercased.utf8.prefix { $0 != UInt8(ascii: "|") }
        guard named.elementsEqual(system.asciiLowercased.utf8) || named.elementsEqual(systemOID.utf8) else {
            return nil
        }
        // A later version of the code system may have more codes.
        return CodeName(display: UTF8Text(names[code.code] ?? "None, or not known"), source: .builtIn, group: nil)
    }

    private static let names: [UTF8Text: String] = [
        "no-allergy-info": "No information about allergies",
        "no-known-allergies": "No known allergies",
        "no-known-medication-allergies": "No known medication allergies",
        "no-known-environmental-allergies": "No known environmental allergies",
        "no-known-food-allergies": "No known food allergies",
        "no-device-info": "No information about devices",
        "no-known-devices": "No known devices in use",
        "no-immunization-info": "No information about immunizations",
        "no-known-immunizations": "No known immunizations",
        "no-medication-info": "No information about medications",
        "no-known-medications": "No known medications",
        "no-problem-info": "No information about problems",
        "no-known-problems": "No known problems",
        "no-procedure-info": "No information about past history of procedures",
        "no-known-procedures": "No known procedures",
    ]
}
