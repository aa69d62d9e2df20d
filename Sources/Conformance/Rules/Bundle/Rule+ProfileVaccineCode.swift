import JSON
import SMARTHealthCards

extension Rule {
    /// usa-covid19-immunization: CVX codes for COVID-19.
    static let profileVaccineCode = Rule(
        "profile-error", "vaccine-code", .vaccinationProfile,
        requirement:
            "With --profile usa-covid19-immunization, Immunization.vaccineCode is CDC's CVX code of a vaccine against COVID-19.",
        remedy:
            "Code the vaccine with http://hl7.org/fhir/sid/cvx, and issue other vaccinations as cards of their own.",
        check: .bundle { subject in
            guard let profile = subject.profile else { return [] }
            guard profile.profile == .usaCOVID19Immunization else { return [] }
            return profile.problems(in: profile.immunizations) { immunization in
                guard let concept = immunization["vaccineCode"] else { return [] }
                let codings = concept["coding"]?.elements.map { Array($0) } ?? []
                guard codings.contains(where: { $0["system"]?.isString("http://hl7.org/fhir/sid/cvx") == true }) else {
                    return [Problem("the vaccine has no CVX code", at: concept)]
                }
                return VaccinationProfile.isOfCOVID19(concept, subject.policy)
                    ? [] : [Problem("the vaccine is none against COVID-19 that CDC lists", at: concept)]
            }
        })
}
