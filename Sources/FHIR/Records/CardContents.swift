public import Encodings

/// The persons and the records on a card.
public struct CardContents: Sendable {
    /// The Patients, in the order of the card. A card should have one; if it has several, all are listed.
    public let subjects: [Subject]
    /// The records, one for each resource that is a record of its own, in the order of the card. Patients are not
    /// records. Neither are resources that only say who, where or with what (organizations, practitioners, places,
    /// specimens and the like), nor a Medication that another record refers to.
    public let records: [Record]
    /// The types of the resources that are not records: `Patient`, `Organization`, …, and `Medication` if another
    /// record refers to it.
    public let supportingTypes: Set<UTF8Text>
    /// Those of `supportingTypes` of which a resource is of a person on the card (`Record.isAttributed`).
    let attributedTypes: Set<UTF8Text>
    /// The latest date of the records, or nil if none has a date.
    public let relevantDate: FHIRDate?
    /// The FHIR release that the card claims, such as `4.0.1` or `1.0.2`. It does not change how the card is read.
    public let fhirVersion: UTF8Text?

    /// Reads the Bundle once. The time is proportional to its size.
    ///
    /// - Parameters:
    ///   - bundle: the card's Bundle.
    ///   - fhirVersion: the card's `fhirVersion`.
    ///   - names: names for codes, and groups for counting vaccines.
    ///   - moment: the moment for which the card is read: at which records have to be in force (`Record.lapse`) and names in use; nil to
    ///     disregard that.
    package init(_ bundle: FHIRBundle, fhirVersion: UTF8Text?, names: CodeNames = .builtIn, at moment: FHIRDate? = nil)
    {
        self.fhirVersion = fhirVersion
        var subjects: [Subject] = []
        for (index, entry) in bundle.entries.enumerated() {
            guard let patient = entry.resource, patient.resourceType == "Patient" else { continue }
            let all = patient.value.all("name").map { HumanName($0) }.filter { $0.display != nil }
            subjects.append(
                Subject(
                    names: all, name: HumanName.preferred(of: all, at: moment), at: moment,
                    birthDate: patient.value.text("birthDate"),
                    identityAssurance: patient.identityAssurance ?? bundle.identityAssurance, entryIndex: index))
        }
        var reader = RecordReader(bundle: bundle, subjects: subjects, names: names, at: moment)
        var records = reader.records()
        records.setOrderOnCard(names: names)
        subjects.adoptIdentityAssurance(of: records)

        self.subjects = subjects
        self.records = records
        supportingTypes = reader.supportingTypes
        attributedTypes = reader.attributedTypes
        relevantDate = records.reduce(nil) { latest, record in
            guard let date = record.fhirDate else { return latest }
            guard let latest, !latest.isEarlier(than: date) else { return date }
            return latest
        }
    }
}

extension CardContents {
    /// The contents of a credential that has no Bundle.
    package init(subjects: [Subject], records: [Record], relevantDate: FHIRDate?) {
        self.subjects = subjects
        self.records = records
        self.relevantDate = relevantDate
        supportingTypes = []
        attributedTypes = []
        fhirVersion = nil
    }
}

extension Subject {
    /// The person of a credential that has no Bundle.
    package init(
        name: UTF8Text?, transliterated: UTF8Text? = nil, birthDate: UTF8Text?, sex: UTF8Text? = nil,
        nationality: UTF8Text? = nil, document: IdentityDocument? = nil, guardian: UTF8Text? = nil
    ) {
        self.init(
            name: name, names: name.map { [HumanName(text: $0)] } ?? [], namesInOtherScripts: [],
            transliterated: transliterated, birthDate: birthDate, entryIndex: 0, sex: sex, nationality: nationality,
            document: document, guardian: guardian)
    }
}

/// The document by which a person proves who they are, such as a passport.
public struct IdentityDocument: Sendable, Hashable {
    /// The number of the document, as the certificate writes it.
    public let number: UTF8Text
    /// The kind of the document, such as `PPN` for a passport; nil if the certificate does not say.
    public let type: UTF8Text?

    package init(number: UTF8Text, type: UTF8Text?) {
        self.number = number
        self.type = type
    }
}

extension [Subject] {
    /// Sets the identity assurance from each person's records, if neither the Patient nor the Bundle states it. The
    /// records that state it must agree.
    fileprivate mutating func adoptIdentityAssurance(of records: [Record]) {
        var levels = [Set<UTF8Text>](repeating: [], count: count)
        for record in records {
            if let index = record.subjectIndex, let level = record.identityAssurance { levels[index].insert(level) }
        }
        for index in indices where self[index].identityAssurance == nil && levels[index].count == 1 {
            self[index].identityAssurance = levels[index].first
        }
    }
}

/// A person on the card (FHIR `Patient`).
public struct Subject: Sendable, Hashable {
    /// The name, as the card gives it: of several, the one in use (`HumanName.preferred(of:at:)`).
    public let name: UTF8Text?
    /// All names that are not empty, in the order of the card.
    public let names: [HumanName]
    /// Names in use in other scripts than that of `name`, one of each.
    public let namesInOtherScripts: [UTF8Text]
    /// The name in the letters A to Z, as in the machine-readable lines of a passport, with spaces for `<`. Only EU Digital
    /// COVID Certificates have it.
    public let transliterated: UTF8Text?
    /// The date of birth, with the precision that the card gives.
    public let birthDate: UTF8Text?
    /// How well the issuer verified the person's identity, such as `IAL1.2`. It comes from the Patient, or else from
    /// the Bundle, or else from this person's records if all that state it agree.
    public internal(set) var identityAssurance: UTF8Text?
    /// The index of the Patient's entry in the Bundle.
    public let entryIndex: Int

    // Only WHO's certificate of vaccination (ICVP) has these, as it writes them.

    /// The sex.
    public internal(set) var sex: UTF8Text?
    /// The nationality.
    public internal(set) var nationality: UTF8Text?
    /// The document by which the person is identified, such as a passport.
    public internal(set) var document: IdentityDocument?
    /// The parent or guardian who signs for a child.
    public internal(set) var guardian: UTF8Text?
}

extension Subject {
    /// A Patient.
    ///
    /// - Parameters:
    ///   - names: all names.
    ///   - name: the one to show.
    ///   - moment: the moment at which names in other scripts have to be in use.
    fileprivate init(
        names: [HumanName], name: HumanName?, at moment: FHIRDate?, birthDate: UTF8Text?, identityAssurance: UTF8Text?,
        entryIndex: Int
    ) {
        var seen = [name?.display.flatMap { Script(of: $0) }]
        var others: [UTF8Text] = []
        for other in names where others.count < Self.shownScripts && other.isInUse(at: moment) {
            guard let text = other.display, let script = Script(of: text), !seen.contains(script) else { continue }
            seen.append(script)
            others.append(text)
        }
        self.init(
            name: name?.display, names: names, namesInOtherScripts: others, transliterated: nil, birthDate: birthDate,
            identityAssurance: identityAssurance, entryIndex: entryIndex)
    }

    /// How many names in other scripts are kept. A name in Japan may have three.
    private static let shownScripts = 3
}

/// The script of a name, as far as it matters when it is compared with a passport: Latin, or which block of Unicode the first letter
/// of another script is in.
private struct Script: Hashable {
    private let block: UInt32

    /// - Returns: nil if the text has no letter.
    init?(of text: UTF8Text) {
        guard let letter = text.unicodeScalars.first(where: \.properties.isAlphabetic) else { return nil }
        switch letter.value {
        case ..<0x250, 0x1E00..<0x1F00, 0x2C60..<0x2C80, 0xA720..<0xA800, 0xFF21..<0xFF5B: block = 0
        case 0x3040..<0x3100, 0xFF66..<0xFFA0: block = 1
        case 0x3400..<0xA000, 0xF900..<0xFB00, 0x20000...: block = 2
        case 0xAC00..<0xD7B0, 0x1100..<0x1200: block = 3
        case 0x370..<0x400, 0x1F00..<0x2000: block = 4
        case 0x400..<0x530: block = 5
        case 0x600..<0x700, 0x750..<0x780, 0x8A0..<0x900, 0xFB50..<0xFE00, 0xFE70..<0xFF00: block = 6
        default: block = 0x100 + letter.value >> 7
        }
    }
}
