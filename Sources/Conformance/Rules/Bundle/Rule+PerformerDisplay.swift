import JSON

extension Rule {
    /// One performer, by name.
    static let performerDisplay = Rule(
        "profile-error", "performer", .vaccinationProfile,
        requirement:
            "An Immunization or Observation has at most one performer, with the organization's name in display.",
        remedy: "Name the organization in Reference.display.",
        check: .bundle { subject in
            guard let profile = subject.profile else { return [] }
            let vaccinators = profile.problems(in: profile.immunizations) { immunization in
                let performers = immunization["performer"]?.elements.map { Array($0) } ?? []
                return problems(performers, of: immunization, profile) { $0["actor"] }
            }
            return vaccinators
                + profile.problems(in: profile.observations) { observation in
                    let performers = observation["performer"]?.elements.map { Array($0) } ?? []
                    return problems(performers, of: observation, profile) { $0 }
                }
        })

    private static func problems(
        _ performers: [JSONValue], of resource: JSONValue, _ profile: VaccinationProfile,
        _ reference: (JSONValue) -> JSONValue?
    ) -> [Problem] {
        if performers.count > 1 {
            return [
                Problem(
                    "there are \(performers.count) performers", at: resource["performer"], severity: profile.severity)
            ]
        }
        return performers.compactMap { reference($0) }.filter { $0["display"] == nil && $0.members?.count ?? 0 > 0 }
            .map {
                Problem("the performer has no name", at: $0, member: "display", severity: profile.severity)
            }
    }
}
