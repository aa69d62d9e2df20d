import JSON

extension Rule {
    /// Lot numbers are just that.
    static let lotNumber = Rule(
        "profile-error", "lot-number", .vaccinationProfile, severity: .warning,
        requirement: "Immunization.lotNumber does not say that it is a lot number, and has fewer than 20 characters.",
        remedy: "Write the number alone, such as 0123L45A.",
        check: .bundle { subject in
            guard let profile = subject.profile else { return [] }
            return profile.problems(in: profile.immunizations) { immunization in
                guard let lot = immunization["lotNumber"], let text = lot.stringBytes else { return [] }
                if profile.profile != nil, text.count >= 20, text.count(where: { $0 & 0xC0 != 0x80 }) >= 20 {
                    return [Problem("the lot number \(lot.shown) is longer than 19 characters", at: lot)]
                }
                let saysLot = zip(text, zip(text.dropFirst(), text.dropFirst(2))).contains { first, rest in
                    [first | 0x20, rest.0 | 0x20, rest.1 | 0x20].elementsEqual("lot".utf8)
                }
                return saysLot ? [Problem("the lot number \(lot.shown) says that it is one", at: lot)] : []
            }
        })
}
