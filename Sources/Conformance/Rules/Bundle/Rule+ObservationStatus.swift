import JSON
import SMARTHealthCards

extension Rule {
    /// Results are final.
    static let observationStatus = Rule(
        "profile-error", "observation-status", .vaccinationProfile,
        requirement: "An Observation's status is final, amended or corrected.",
        remedy: "Issue the card once the result is final.",
        check: .bundle { subject in
            guard let profile = subject.profile else { return [] }
            return profile.problems(in: profile.observations) { observation in
                guard let status = observation["status"],
                    !["final", "amended", "corrected"].contains(where: { status.isString($0) })
                else { return [] }
                return [
                    Problem(
                        "the status is \(status.shown), not final, amended or corrected", at: status,
                        severity: profile.severity)
                ]
            }
        })
}
