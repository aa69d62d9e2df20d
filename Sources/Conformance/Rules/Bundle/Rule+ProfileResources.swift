import JSON

extension Rule {
    /// usa-covid19-immunization: a patient and vaccinations.
    static let profileResources = Rule(
        "profile-error", "resources", .vaccinationProfile,
        requirement:
            "With --profile usa-covid19-immunization, a Bundle holds one Patient, one Immunization or more, and nothing else.",
        remedy: "Issue what is no vaccination as a card of its own.",
        check: .bundle { subject in
            guard let profile = subject.profile else { return [] }
            guard profile.profile == .usaCOVID19Immunization else { return [] }
            var problems: [Problem] = []
            if profile.patients.count != 1 {
                problems.append(Problem("there are \(profile.patients.count) Patients, not one", at: subject.value))
            }
            if profile.immunizations.isEmpty { problems.append(Problem("there is no Immunization", at: subject.value)) }
            return problems
                + subject.entries.filter { !$0.isOf("Patient") && !$0.isOf("Immunization") }
                .prefix(VaccinationProfile.problemsOfRule).compactMap { entry in
                    entry.resource.map { Problem("the resource is no Patient and no Immunization", at: $0) }
                }
        })
}
