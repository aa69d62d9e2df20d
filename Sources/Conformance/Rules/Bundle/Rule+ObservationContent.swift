import JSON

extension Rule {
    /// Results say whose, when and what.
    static let observationContent = Rule(
        "profile-error", "observation-content", .vaccinationProfile,
        requirement:
            "An Observation has a subject, effectiveDateTime or effectivePeriod, and a value that is a concept, a quantity or a string.",
        remedy: "Add the element; a result that cannot be told from the card proves nothing.",
        check: .bundle { subject in
            guard let profile = subject.profile else { return [] }
            return profile.problems(in: profile.observations) { observation in
                var missing: [String] = []
                if observation["subject"] == nil { missing.append("subject") }
                if observation["effectiveDateTime"] == nil, observation["effectivePeriod"] == nil {
                    missing.append("effectiveDateTime")
                }
                if observation["valueCodeableConcept"] == nil, observation["valueQuantity"] == nil,
                    observation["valueString"] == nil
                {
                    missing.append("valueCodeableConcept")
                }
                return missing.map { name in
                    Problem("the Observation has no \(name)", at: observation, member: name, severity: profile.severity)
                }
            }
        })
}
