import JSON
import SMARTHealthCards

extension Rule {
    /// usa-covid19-immunization: a collection.
    static let profileBundle = Rule(
        "profile-error", "bundle-type", .vaccinationProfile,
        requirement: "With --profile usa-covid19-immunization, Bundle.type is collection.",
        remedy: "Write collection.",
        check: .bundle { subject in
            guard let profile = subject.profile else { return [] }
            guard profile.profile == .usaCOVID19Immunization else { return [] }
            guard let type = subject.value["type"], !type.isString("collection") else { return [] }
            return [Problem("the Bundle's type is \(type.shown), not collection", at: type)]
        })
}
