import JSON

extension Rule {
    /// Laboratory results have the least there can be.
    static let observationElements = Rule(
        "profile-error", "observation-elements", .vaccinationProfile,
        requirement:
            "An Observation has no elements but status, code, subject, effective, value, referenceRange and performer.",
        remedy: "Leave the element out: it does not help a verifier, and it makes the QR code larger.",
        check: .bundle { subject in
            guard let profile = subject.profile else { return [] }
            return profile.problems(in: profile.observations) { observation in
                let names = VaccinationProfile.everywhere.union(leftOutOfObservations)
                return profile.leftOut(names, of: observation, named: "Observation")
                    + profile.leftOut(
                        VaccinationProfile.inPatientReference, of: observation["subject"], named: "Observation.subject")
                    + profile.leftOut(
                        VaccinationProfile.inPerformer, of: observation["performer"], named: "Observation.performer")
            }
        })

    private static let leftOutOfObservations: Set<UTF8Text> = [
        "identifier", "basedOn", "partOf", "category", "focus", "encounter", "issued", "dataAbsentReason",
        "interpretation", "note", "bodySite", "method", "specimen", "device", "hasMember", "derivedFrom", "component",
    ]
}
