import JSON

extension Rule {
    /// The Bundle itself has type and entries.
    static let bundleElements = Rule(
        "profile-error", "bundle-elements", .vaccinationProfile,
        requirement: "The Bundle has no elements but type and entry, and its entries none but fullUrl and resource.",
        remedy: "Leave the element out.",
        check: .bundle { subject in
            guard let profile = subject.profile else { return [] }
            let entry = VaccinationProfile.everywhere.union(["id", "link", "search", "request", "response"])
            return profile.leftOut(
                ["identifier", "implicitRules", "language", "total", "link", "signature"],
                of: subject.value, named: "Bundle")
                + profile.problems(in: subject.entries.map(\.entry)) {
                    profile.leftOut(entry, of: $0, named: "Bundle.entry")
                }
        })
}
