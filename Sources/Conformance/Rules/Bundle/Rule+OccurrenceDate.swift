import JSON

extension Rule {
    /// Vaccinations have a day.
    static let occurrenceDate = Rule(
        "profile-error", "occurrence-date", .vaccinationProfile,
        requirement: "An Immunization has an occurrenceDateTime, which should be a day without a time: YYYY-MM-DD.",
        remedy: "Write the day of the vaccination as occurrenceDateTime.",
        check: .bundle { subject in
            guard let profile = subject.profile else { return [] }
            return profile.problems(in: profile.immunizations) { immunization in
                if immunization["occurrenceDateTime"] == nil, let text = immunization["occurrenceString"] {
                    return [
                        Problem("the vaccination's date is words, not a date", at: text, severity: profile.severity)
                    ]
                }
                guard let date = immunization["occurrenceDateTime"], let text = date.stringBytes, !text.isEmpty,
                    text.count != 10
                else { return [] }
                return [Problem("\(date.shown) is not a day, YYYY-MM-DD", at: date, severity: .warning)]
            }
        })
}
