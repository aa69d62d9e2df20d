import JSON

extension Rule {
    /// Immunizations have the least there can be.
    static let immunizationElements = Rule(
        "profile-error", "immunization-elements", .vaccinationProfile,
        requirement:
            "An Immunization has no elements but status, vaccineCode, patient, occurrenceDateTime, performer, lotNumber and isSubpotent.",
        remedy: "Leave the element out: it does not help a verifier, and it makes the QR code larger.",
        check: .bundle { subject in
            guard let profile = subject.profile else { return [] }
            return profile.problems(in: profile.immunizations) { immunization in
                let names = VaccinationProfile.everywhere.union(leftOutOfImmunizations)
                return profile.leftOut(names, of: immunization, named: "Immunization")
                    + leftOutManufacturer(of: immunization, profile)
                    + profile.leftOut(
                        VaccinationProfile.inPatientReference, of: immunization["patient"],
                        named: "Immunization.patient")
                    + profile.leftOut(
                        ["id", "extension", "modifierExtension", "function"], of: immunization["performer"],
                        named: "Immunization.performer")
                    + (immunization["performer"]?.elements?.flatMap { performer in
                        profile.leftOut(
                            VaccinationProfile.inPerformer, of: performer["actor"],
                            named: "Immunization.performer.actor")
                    } ?? [])
            }
        })

    private static let leftOutOfImmunizations: Set<UTF8Text> = [
        "identifier", "statusReason", "encounter", "recorded", "primarySource", "reportOrigin", "location",
        "expirationDate", "site", "route", "doseQuantity", "note", "reasonCode", "reasonReference", "subpotentReason",
        "education", "programEligibility", "fundingSource", "reaction", "protocolApplied",
    ]

    /// The manufacturer, unless it is an identifier alone: that may say what the vaccine's code does not. CVX does.
    private static func leftOutManufacturer(of immunization: JSONValue, _ profile: VaccinationProfile) -> [Problem] {
        guard let manufacturer = immunization["manufacturer"] else { return [] }
        if profile.profile == nil {
            return profile.leftOut(
                ["reference", "type", "display"], of: manufacturer, named: "Immunization.manufacturer")
        }
        return [
            Problem(
                "Immunization.manufacturer is left out on such a card", at: manufacturer, severity: profile.severity)
        ]
    }
}
