public import Encodings

/// One record of a card: an immunization, a test, a problem, a medicine.
///
/// All text comes from the card and may be hostile. Reports escape and shorten it. A value that is missing, empty or of
/// the wrong type is nil.
public struct Record: Sendable, Hashable {
    /// The FHIR resource type.
    public package(set) var resourceType: UTF8Text
    /// The clinical type, or nil for a resource that has none.
    public package(set) var type: RecordType?
    /// The subject matter: words, their source, and codes.
    public package(set) var concept = CodedText(display: nil, source: nil, codes: [])
    /// When it happened, with the precision that the card gives. Words if the card has no date.
    public package(set) var date: UTF8Text?
    /// Whether a date of the record cannot be read, or is given in words.
    public package(set) var hasUnreadableDate = false
    /// The status as a code. If it is not `completed`, `final` or `active`, the record may mean something else.
    public package(set) var status: UTF8Text?
    /// For a condition or an allergy: `confirmed`, `refuted`, …
    public package(set) var verificationStatus: UTF8Text?
    /// Whether the record says that the action was not done, not given or not taken. In DSTU2, the status may still be
    /// `completed`.
    public package(set) var isNotDone = false
    /// Whether the vaccination may not have worked (R4 `isSubpotent`).
    public package(set) var isSubpotent: Bool?
    /// The person or organization that did it, or stated it.
    public package(set) var performer: UTF8Text?
    /// The vaccine's lot number.
    public package(set) var lotNumber: UTF8Text?
    /// The maker of the vaccine: the code list's name for `manufacturerCode`, or else the card's words. Of a test on an EU
    /// Digital COVID Certificate, the maker and the name of the test.
    public package(set) var manufacturer: UTF8Text?
    /// The code for `manufacturer`.
    public package(set) var manufacturerCode: Code?
    /// The number of the dose in its series, if the card gives it. The framework's profile forbids it.
    public package(set) var doseNumber: UTF8Text?
    /// The results: the resource's own result, then those of its components.
    public package(set) var results: [RecordResult] = []
    /// How well the issuer verified the person's identity, if the record says so.
    public package(set) var identityAssurance: UTF8Text?
    /// The index, among the card's subjects, of the Patient that the record is about. Nil if it refers to none of them.
    public package(set) var subjectIndex: Int?
    /// Whether the record is of a person on the card: it refers to a Patient of the card, or it names nobody and the
    /// card has one Patient. No other record meets a query.
    public package(set) var isAttributed = false
    /// The index of the resource's entry in the Bundle.
    public package(set) var entryIndex = 0
    /// The position among the vaccinations of one kind. Nil if this is the only one, was not done, or has no date.
    public package(set) var orderOnCard: OrderOnCard?
    /// The place of the vaccination in its series, in the certificate's words ("Primary"). Only ICVP have it.
    public package(set) var statedOrder: UTF8Text?

    // Only health certificates (HCERT) have these, and insurance cards the identifier and the days of validity.

    /// The dose and the number of doses in the series.
    public package(set) var dose: Dose?
    /// The country in which it happened.
    public package(set) var country: UTF8Text?
    /// The unique identifier of the certificate (UVCI). Of an insurance card, the number of the insured person, or else of the subscriber.
    public package(set) var identifier: UTF8Text?
    /// The first day on which a certificate of recovery, a vaccination on an ICVP or an insurance card is valid.
    public package(set) var validFrom: UTF8Text?
    /// The last day on which it is valid.
    public package(set) var validUntil: UTF8Text?
    /// The disease. If it is given, it alone decides whether the record is about COVID-19.
    public package(set) var disease: Code?
    /// The name of the disease.
    public package(set) var diseaseName: UTF8Text?
    /// What an insurance card says besides; nil for other records.
    public package(set) var coverage: CoverageDetails?
    /// The diseases that a vaccination on an ICVP is stated to be against. If they are given, they alone decide whether it is about COVID-19.
    package var targets: [Code]?
    /// Whether the record says that there is nothing of its kind, or that nothing is known of it, by a code of HL7's International
    /// Patient Summary: "No known allergies".
    public package(set) var isAbsent = false
    /// Whether the record, or the resource on the card that lends it its code, has a `modifierExtension`. Nobody here knows what it changes.
    public package(set) var hasUnknownModifier = false
    /// Why the record is not in force at the moment for which it was read; nil if it is in force, or if no moment was given.
    public package(set) var lapse: RecordLapse?
    /// Whether it is dated after the moment for which it was read, also if it is not in force for another reason.
    package var isDatedAhead = false
    /// Why the status says that the record does not count, or that it cannot be read; see `objection`.
    package var statusObjection: String?
    /// The interval of a date that is not written as in FHIR.
    package var interval: FHIRDate?

    /// The words to show, or nil if only codes are known.
    public var display: UTF8Text? { concept.display }
    /// The source of `display`.
    public var displaySource: DisplaySource? { concept.displaySource }
    /// The codes, in the order of the card.
    public var codes: [Code] { concept.codes }
    /// The resource's own result, not that of a component.
    public var result: RecordResult? { results.first { $0.label == nil } }
    /// The date as an interval, or nil if it is not a date.
    public var fhirDate: FHIRDate? { interval ?? date.flatMap { FHIRDate($0) } }
}

/// The clinical type of a record, as HealthKit distinguishes them.
public enum RecordType: String, Sendable, Hashable, CaseIterable {
    case allergy, condition, coverage, immunization, laboratory, medication, procedure, recovery
    case vitalSign = "vital-sign"
}

/// The number of a dose in its series, as a certificate gives it: `2 of 2`.
public struct Dose: Sendable, Hashable, CustomStringConvertible {
    /// The number of the dose. After a booster it may be larger than `total`.
    public let number: Int64
    /// The number of doses in the series.
    public let total: Int64

    /// Creates a dose.
    package init(number: Int64, of total: Int64) {
        self.number = number
        self.total = total
    }

    /// The dose in words, such as `2 of 2`.
    public var description: String { "\(number) of \(total)" }
}

extension Record {
    /// The place of a vaccination among others, in words: as the certificate states it, or else by date among those on the card.
    public var order: UTF8Text? { statedOrder ?? orderOnCard.map { UTF8Text($0.description) } }

    /// Begins the record of the only person, who is the first subject.
    package init(ofOnlyPerson resourceType: UTF8Text, _ type: RecordType) {
        self.init(resourceType: resourceType, type: type, subjectIndex: 0, isAttributed: true)
    }

    /// Why the record does not count, in the project's own words: it was not done, was cancelled, refuted or entered in
    /// error, it has a status that cannot be read, or its vaccine is CVX 998, "no vaccine administered"; it says that there is nothing,
    /// or has a `modifierExtension`; or it is not in force at the moment for which it was read (`lapse`). Nil if it counts.
    public var objection: String? { lastingObjection ?? lapse?.description }

    /// The same at any moment.
    var lastingObjection: String? {
        if isNotDone { return "not done" }
        if let statusObjection { return statusObjection }
        if isAbsent { return "a record of absence" }
        if hasUnknownModifier { return "changed by a modifierExtension that is not known here" }
        let isNoVaccine =
            type == .immunization && codes.contains { $0.canonical == Code(system: Code.cvx, code: "998") }
        return isNoVaccine ? "no vaccine administered" : nil
    }

    /// Why the record does not count although its status does not say so, as a word for programs; nil if it counts, or is one of absence.
    package var uncounted: String? {
        if hasUnknownModifier { return "modifier" }
        return switch lapse {
        case .ended?: "ended"
        case .notBegun?: "not-begun"
        case .unreadable?: "unreadable"
        case .ahead?: "ahead"
        case nil: nil
        }
    }

    /// Notes whether the record is in force: not dated ahead, and within a validity of its own.
    package mutating func setLapse(at moment: FHIRDate?, _ validity: RecordValidity? = nil) {
        guard let moment else { return }
        lapse = validity?.lapse(at: moment)
        guard let date = fhirDate, moment.isBefore(date) else { return }
        isDatedAhead = true
        // The date of a record with a validity may be its beginning.
        if lapse == nil { lapse = .ahead(date) }
    }
}

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

/// The position of a vaccination, by date, among those of one kind on the card.
///
/// It is not a dose number, because the person may have had doses that are not on the card.
public struct OrderOnCard: Sendable, Hashable, CustomStringConvertible {
    /// The position, from 1.
    public let position: Int
    /// The number of these vaccinations on the card.
    public let count: Int

    /// The position in words, such as `2 of 3`.
    public var description: String { "\(position) of \(count)" }
}

extension [Record] {
    /// The criteria by which vaccinations are counted together.
    private struct VaccinationKind: Hashable {
        let subject: Int
        let group: UTF8Text?
        let code: Code?
    }

    /// Numbers the vaccinations of one kind and person by date, if there are several.
    ///
    /// Vaccinations are of one kind if their codes are in the same vaccine group or, without a group, if their first
    /// codes are the same. A vaccination is left out if it does not count (`Record.objection`), or if it refers to
    /// nobody on the card. One without a date counts, but gets no number.
    mutating func setOrderOnCard(names: CodeNames) {
        var series: [VaccinationKind: [(record: Int, date: FHIRDate?)]] = [:]
        for (index, record) in enumerated() where record.type == .immunization && record.lastingObjection == nil {
            guard let subject = record.subjectIndex, let code = record.codes.first?.canonical else { continue }
            let group = record.codes.lazy.compactMap { names.group(of: $0) }.first
            let kind = VaccinationKind(subject: subject, group: group, code: group == nil ? code : nil)
            series[kind, default: []].append((index, record.fhirDate))
        }
        for members in series.values where members.count > 1 {
            let dated = members.compactMap { member in member.date.map { (record: member.record, date: $0) } }
                .sorted { one, other in
                    one.date.isEarlier(than: other.date)
                        || !other.date.isEarlier(than: one.date) && one.record < other.record
                }
            for (position, member) in dated.enumerated() {
                self[member.record].orderOnCard = OrderOnCard(position: position + 1, count: members.count)
            }
        }
    }
}

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
