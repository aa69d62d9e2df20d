import Encodings

/// The elements of one type of resource that a record shows, by name, the best first.
///
/// One row serves R4, STU3 and DSTU2. If the releases use different names, the row lists both, and no name has two meanings.
/// So a card can be read even if its `fhirVersion` is unknown or wrong.
struct ResourceShape: Sendable {
    /// The resource type.
    let resourceType: UTF8Text
    /// The clinical type of its records, before the category is considered.
    let type: RecordType?
    /// Concepts that name the subject matter.
    var code = ["code"]
    /// A reference to the resource that has the code.
    var codeReference: String?
    /// Words that name the subject matter, if no concept has any.
    var title: [String] = []
    /// Dates, times and periods: when it happened or applies. The date of recording is left out if the difference could
    /// decide whether a visitor is admitted.
    let date: [String]
    /// Codes or concepts.
    var status = ["status"]
    /// References, or objects whose `actor` or `agent` is a reference.
    var performer = ["performer"]
    /// Booleans that reverse the meaning of the record.
    var negations: [String] = []
}

extension ResourceShape {
    /// The row for a resource type, or `other` if it has none.
    static func shape(of resourceType: UTF8Text) -> ResourceShape {
        names.index(of: resourceType).map { rows[$0] } ?? other
    }

    /// Resource types that only say who, where or with what. They are not records of their own.
    static let supporting = NameTable([
        "Patient", "RelatedPerson", "Person", "Group", "Organization", "OrganizationAffiliation", "Practitioner",
        "PractitionerRole", "Location", "HealthcareService", "Endpoint", "Specimen", "Provenance",
    ])

    /// The names of the rows.
    private static let names = NameTable(rows.map(\.resourceType.description))

    private static let medication = ["medicationCodeableConcept"]
    private static let medicationReference = "medicationReference"

    private static let rows: [ResourceShape] = [
        ResourceShape(
            resourceType: "Immunization", type: .immunization, code: ["vaccineCode"],
            date: ["occurrenceDateTime", "occurrenceString", "date"], negations: ["wasNotGiven", "notGiven"]),
        ResourceShape(
            resourceType: "Observation", type: .laboratory,
            date: ["effectiveDateTime", "effectivePeriod", "effectiveInstant", "effectiveTiming"]),
        ResourceShape(
            resourceType: "DiagnosticReport", type: .laboratory, date: ["effectiveDateTime", "effectivePeriod"]),
        ResourceShape(
            resourceType: "Condition", type: .condition,
            date: ["onsetDateTime", "onsetPeriod", "onsetString", "recordedDate", "dateRecorded"],
            status: ["clinicalStatus"], performer: ["asserter", "recorder"]),
        ResourceShape(
            resourceType: "AllergyIntolerance", type: .allergy, code: ["code", "substance"],
            date: ["onsetDateTime", "onsetPeriod", "onset", "onsetString", "recordedDate"],
            status: ["clinicalStatus", "status"], performer: ["asserter", "reporter", "recorder"]),
        ResourceShape(
            resourceType: "Procedure", type: .procedure,
            date: ["performedDateTime", "performedPeriod", "performedString"],
            performer: ["performer", "asserter", "recorder"], negations: ["notPerformed", "notDone"]),
        ResourceShape(resourceType: "Medication", type: .medication, date: []),
        ResourceShape(
            resourceType: "MedicationStatement", type: .medication, code: medication,
            codeReference: medicationReference, date: ["effectiveDateTime", "effectivePeriod", "dateAsserted"],
            performer: ["informationSource"], negations: ["wasNotTaken"]),
        ResourceShape(
            resourceType: "MedicationRequest", type: .medication, code: medication, codeReference: medicationReference,
            date: ["authoredOn"], performer: ["requester", "recorder"], negations: ["doNotPerform"]),
        ResourceShape(
            resourceType: "MedicationOrder", type: .medication, code: medication,
            codeReference: medicationReference, date: ["dateWritten"], performer: ["prescriber"]),
        ResourceShape(
            resourceType: "MedicationDispense", type: .medication, code: medication, codeReference: medicationReference,
            date: ["whenHandedOver", "whenPrepared"], performer: ["performer", "dispenser"]),
        ResourceShape(
            resourceType: "MedicationAdministration", type: .medication, code: medication,
            codeReference: medicationReference,
            date: ["effectiveDateTime", "effectivePeriod", "effectiveTimeDateTime", "effectiveTimePeriod"],
            performer: ["performer", "practitioner"], negations: ["wasNotGiven", "notGiven"]),
        ResourceShape(
            resourceType: "Coverage", type: .coverage, code: ["type"], date: ["period"], performer: ["payor", "issuer"]),
        ResourceShape(
            resourceType: "Composition", type: nil, code: ["type"], title: ["title"], date: ["date"],
            performer: ["author"]),
        // The device says whether there is one.
        unlisted("DeviceUseStatement", codeReference: "device"),
    ]

    private static let other = unlisted("")

    /// The row of a type of which nothing is known but what most types have.
    private static func unlisted(_ resourceType: UTF8Text, codeReference: String? = nil) -> ResourceShape {
        ResourceShape(
            resourceType: resourceType, type: nil,
            code: ["code", "type", "class", "serviceType", "description", "category"], codeReference: codeReference,
            title: ["title", "description"],
            date: [
                "effectiveDateTime", "effectivePeriod", "performedDateTime", "performedPeriod", "occurrenceDateTime",
                "occurrencePeriod", "onsetDateTime", "period", "started", "servicedDate", "servicedPeriod", "startDate",
                "date", "created", "authoredOn", "authored", "recordedDate", "recorded", "statusDate", "issued",
                "timestamp",
            ], performer: ["performer", "author", "asserter", "recorder", "requester"],
            negations: ["doNotPerform", "notDone"])
    }
}
