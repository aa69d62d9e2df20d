import StrictJSON

extension Rule {
    /// The rules of the profile usa-covid19-immunization.
    static let usaProfileRules: [Rule] = [
        bundleElements, patientElements, patientName, immunizationElements, immunizationStatus, subpotent,
        occurrenceDate, lotNumber, observationElements, observationStatus, observationContent, performerDisplay,
        profileBundle, profileResources, profileVaccineCode,
    ]

    // MARK: Elements that cards leave out

    static let bundleElements = Rule(
        "profile-error", "bundle-elements", .vaccinationProfile,
        requirement: "The Bundle has no elements other than `type` and `entry`. Its entries have none other than "
            + "`fullUrl` and `resource`.",
        remedy: "Remove the element from the Bundle.",
        check: .usaProfile { profile, subject in
            let entry = USAProfile.everywhere.union(["id", "link", "search", "request", "response"])
            return profile.leftOut(
                ["identifier", "implicitRules", "language", "total", "link", "signature"],
                of: subject.value, named: "Bundle")
                + subject.entries.map(\.entry).problems {
                    profile.leftOut(entry, of: $0, named: "Bundle.entry")
                }
        })

    static let patientElements = Rule(
        "profile-error", "patient-elements", .vaccinationProfile,
        requirement: "A Patient has no elements other than `name` and `birthDate`. The name has no `use`.",
        remedy: "Remove the element. Verifiers compare only name and date of birth with an identity document.",
        check: .each(\.patients) { patient, profile in
            profile.leftOut(USAProfile.everywhere.union(leftOutOfPatients), of: patient, named: "Patient")
                + profile.leftOut(["id", "extension", "use"], of: patient["name"], named: "Patient.name")
        })

    private static let leftOutOfPatients: Set<UTF8Text> = [
        "identifier", "active", "telecom", "gender", "deceasedBoolean", "deceasedDateTime", "address", "maritalStatus",
        "multipleBirthBoolean", "multipleBirthInteger", "photo", "contact", "communication", "generalPractitioner",
        "managingOrganization", "link",
    ]

    static let immunizationElements = Rule(
        "profile-error", "immunization-elements", .vaccinationProfile,
        requirement: "An Immunization has no elements other than `status`, `vaccineCode`, `patient`, "
            + "`occurrenceDateTime`, `performer`, `lotNumber` and `isSubpotent`.",
        remedy: "Remove the element. It does not help a verifier, and it makes the QR code larger.",
        check: .each(\.immunizations) { immunization, profile in
            let names = USAProfile.everywhere.union(leftOutOfImmunizations)
            return profile.leftOut(names, of: immunization, named: "Immunization")
                + (immunization["manufacturer"].map { [profile.leftOut("Immunization.manufacturer", at: $0)] } ?? [])
                + profile.leftOut(
                    USAProfile.inPatientReference, of: immunization["patient"], named: "Immunization.patient")
                + profile.leftOut(
                    ["id", "extension", "modifierExtension", "function"], of: immunization["performer"],
                    named: "Immunization.performer")
                + (immunization["performer"]?.elements?.flatMap { performer in
                    profile.leftOut(
                        USAProfile.inPerformer, of: performer["actor"], named: "Immunization.performer.actor")
                } ?? [])
        })

    private static let leftOutOfImmunizations: Set<UTF8Text> = [
        "identifier", "statusReason", "encounter", "recorded", "primarySource", "reportOrigin", "location",
        "expirationDate", "site", "route", "doseQuantity", "note", "reasonCode", "reasonReference", "subpotentReason",
        "education", "programEligibility", "fundingSource", "reaction", "protocolApplied",
    ]

    static let observationElements = Rule(
        "profile-error", "observation-elements", .vaccinationProfile,
        requirement:
            "An Observation has no elements other than `status`, `code`, `subject`, `effective[x]`, `value[x]`, "
            + "`referenceRange` and `performer`.",
        remedy: "Remove the element. It does not help a verifier, and it makes the QR code larger.",
        check: .each(\.observations) { observation, profile in
            let names = USAProfile.everywhere.union(leftOutOfObservations)
            return profile.leftOut(names, of: observation, named: "Observation")
                + profile.leftOut(
                    USAProfile.inPatientReference, of: observation["subject"], named: "Observation.subject")
                + profile.leftOut(USAProfile.inPerformer, of: observation["performer"], named: "Observation.performer")
        })

    private static let leftOutOfObservations: Set<UTF8Text> = [
        "identifier", "basedOn", "partOf", "category", "focus", "encounter", "issued", "dataAbsentReason",
        "interpretation", "note", "bodySite", "method", "specimen", "device", "hasMember", "derivedFrom", "component",
    ]
}
