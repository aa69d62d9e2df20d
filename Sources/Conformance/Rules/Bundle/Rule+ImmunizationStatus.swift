import JSON
import SMARTHealthCards

extension Rule {
    /// Vaccinations have been given.
    static let immunizationStatus = Rule(
        "profile-error", "immunization-status", .vaccinationProfile,
        requirement: "An Immunization's status is completed.",
        remedy: "Issue no card for a vaccination that was not given or is recorded in error.",
        check: .bundle { subject in
            guard let profile = subject.profile else { return [] }
            return profile.problems(in: profile.immunizations) { immunization in
                guard let status = immunization["status"], !status.isString("completed") else { return [] }
                return [Problem("the status is \(status.shown), not completed", at: status, severity: profile.severity)]
            }
        })
}
