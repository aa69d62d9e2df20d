import JSON

extension Rule {
    /// isSubpotent is true or absent.
    static let subpotent = Rule(
        "profile-error", "is-subpotent", .vaccinationProfile,
        requirement: "Immunization.isSubpotent is true where the dose was too weak, and is left out otherwise.",
        remedy: "Leave isSubpotent out where it would be false.",
        check: .bundle { subject in
            guard let profile = subject.profile else { return [] }
            return profile.problems(in: profile.immunizations) { immunization in
                guard let isSubpotent = immunization["isSubpotent"], isSubpotent.boolean == false else { return [] }
                return [Problem("isSubpotent is false", at: isSubpotent, severity: profile.severity)]
            }
        })
}
