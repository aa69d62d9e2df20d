public import JSON

/// Who a card is about and what it records.
public struct CardContents: Sendable {
    /// The Patients, in the order of the card. A card should have one; all of several are here.
    public let subjects: [Subject]
    /// One for each resource that is a record of its own, in the order of the card: not for Patients, nor for those
    /// that only say who, where or from what (organizations, practitioners, places, specimens, and the like), nor for a
    /// Medication that another record names.
    public let records: [Record]
    /// The types of the resources that are no record of their own: `Patient`, `Organization`, …, and `Medication` where
    /// another record names it.
    public let supportingTypes: Set<UTF8Text>
    /// The latest of the records' dates; nil if none has a date.
    public let relevantDate: FHIRDate?
    /// The FHIR release that the card claims: `4.0.1`, `1.0.2`. It decides nothing: what is there is read.
    public let fhirVersion: UTF8Text?

    /// Reads the Bundle once; the time is proportional to its size.
    ///
    /// - Parameters:
    ///   - bundle: the card's Bundle.
    ///   - fhirVersion: `fhirVersion` beside it.
    ///   - names: names for codes, and the groups that vaccines are counted in.
    public init(_ bundle: FHIRBundle, fhirVersion: UTF8Text?, names: CodeNames = .builtIn) {
        self.fhirVersion = fhirVersion
        var subjects: [Subject] = []
        for (index, entry) in bundle.entries.enumerated() {
            guard let patient = entry.resource, patient.resourceType == "Patient" else { continue }
            subjects.append(
                Subject(
                    name: HumanName.preferred(of: patient.value.all("name"))?.display,
                    birthDate: patient.value.text("birthDate"),
                    identityAssurance: patient.identityAssurance ?? bundle.identityAssurance, entryIndex: index))
        }
        var reader = RecordReader(bundle: bundle, subjects: subjects, names: names)
        var records = reader.records()
        records.setOrderOnCard(names: names)
        subjects.adoptIdentityAssurance(of: records)

        self.subjects = subjects
        self.records = records
        supportingTypes = reader.supportingTypes
        relevantDate = records.reduce(nil) { latest, record in
            guard let date = record.fhirDate else { return latest }
            guard let latest, !latest.isEarlier(than: date) else { return date }
            return latest
        }
    }
}

extension [Subject] {
    /// Takes the identity assurance of each person's records, if the Patient and the Bundle have none and those records
    /// that have one agree.
    fileprivate mutating func adoptIdentityAssurance(of records: [Record]) {
        var levels = [Set<UTF8Text>](repeating: [], count: count)
        for record in records {
            guard let index = record.subjectIndex, let level = record.identityAssurance
            else { continue }
            levels[index].insert(level)
        }
        for index in indices where self[index].identityAssurance == nil && levels[index].count == 1 {
            self[index].identityAssurance = levels[index].first
        }
    }
}
