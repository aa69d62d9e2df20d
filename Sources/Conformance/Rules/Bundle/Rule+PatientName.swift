import JSON

extension Rule {
    /// Patients have one name.
    static let patientName = Rule(
        "profile-error", "patient-name", .vaccinationProfile,
        requirement: "A Patient has one name, with a family name, given names, or text.",
        remedy: "Give the name that is in the patient's identity document.",
        check: .bundle { subject in
            guard let profile = subject.profile else { return [] }
            return profile.problems(in: profile.patients) { patient in
                guard let names = patient["name"]?.elements, names.count > 0 else {
                    return [Problem("the Patient has no name", at: patient, member: "name", severity: profile.severity)]
                }
                if names.count > 1 {
                    return [Problem("the Patient has \(names.count) names", at: patient["name"], severity: .warning)]
                }
                return names.filter { $0["family"] == nil && $0["given"] == nil && $0["text"] == nil }.map { name in
                    Problem("the name has no family, given or text", at: name, severity: profile.severity)
                }
            }
        })
}
