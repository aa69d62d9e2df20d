import JSON

extension Rule {
    /// Patients are a name and a date of birth.
    static let patientElements = Rule(
        "profile-error", "patient-elements", .vaccinationProfile,
        requirement: "A Patient has no elements but name and birthDate, and a name no use.",
        remedy: "Leave the element out: a verifier compares name and date of birth with an identity document.",
        check: .bundle { subject in
            guard let profile = subject.profile else { return [] }
            return profile.problems(in: profile.patients) { patient in
                profile.leftOut(VaccinationProfile.everywhere.union(leftOutOfPatients), of: patient, named: "Patient")
                    + profile.leftOut(["id", "extension", "use"], of: patient["name"], named: "Patient.name")
            }
        })

    private static let leftOutOfPatients: Set<UTF8Text> = [
        "identifier", "active", "telecom", "gender", "deceasedBoolean", "deceasedDateTime", "address", "maritalStatus",
        "multipleBirthBoolean", "multipleBirthInteger", "photo", "contact", "communication", "generalPractitioner",
        "managingOrganization", "link",
    ]
}
