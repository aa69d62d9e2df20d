package import Credentials
package import Encodings
package import FHIR

/// WHO's International Certificate of Vaccination or Prophylaxis: the yellow card (smart-icvp 0.3.0, and the shape of 2024).
///
/// The number in claim -260 is one for development, and the shape is a draft.
package struct ICVP: Sendable {
    /// The whole content.
    package let value: CBORValue
    /// The vaccinations.
    package let vaccinations: [CBORValue]
    /// The deviations from the model that do not make the certificate invalid.
    package let warnings: [CredentialWarning]

    package static let kind = HealthContentKind(
        number: -6, sourceType: "who-icvp", plural: "vaccination certificates (ICVP)",
        domains: ["ICVP", "PH4H", "RACSEL-DDVC"], isOfListsWithoutDomains: false, requiresExpiry: false,
        isIssuedByCountry: false, isLenient: false, isShown: true,
        read: { value throws(VerificationFailure) in try ICVP(value) })

    /// Reads the content, strictly.
    ///
    /// - Throws: `VerificationFailure` with `malformed-payload`.
    package init(_ value: CBORValue) throws(VerificationFailure) {
        let check = ICVPCheck(value)
        if let problem = check.problems.first(where: \.isFatal) { throw CWTClaims.malformed(problem.message) }
        self.value = value
        vaccinations = check.vaccinations
        warnings = check.problems.compactMap { problem in
            problem.warningCode.map { CredentialWarning($0, problem.message, path: problem.path) }
        }
    }
}

extension ICVP: HealthContent {
    package var words: String {
        vaccinations.count == 1
            ? "a certificate of a vaccination (ICVP)" : "a certificate of \(vaccinations.count) vaccinations (ICVP)"
    }

    /// Says which vaccinations are not valid on the day of the verification. The certificate is valid all the same.
    package func warnings(at now: NumericDate) -> [CredentialWarning] {
        let moment = FHIRDate(now)
        return vaccinations.enumerated().flatMap { number, vaccination in
            let (from, until, _) = Self.validity(of: vaccination)
            let validity = RecordValidity(from: from, until: until)
            var warnings: [CredentialWarning] = []
            // The dates are not repeated, since the message may be logged.
            if validity.hasEnded(at: moment) {
                warnings.add(
                    .recordExpired, "vaccination \(number + 1) was valid until a day that has passed (validUntil)",
                    path: "records[\(number)]")
            }
            if validity.hasNotBegun(at: moment) {
                warnings.add(
                    .recordNotYetValid, "vaccination \(number + 1) is valid only from a later day on (validFrom)",
                    path: "records[\(number)]")
            }
            return warnings
        }
    }

    package func contents(names: CodeNames, at moment: NumericDate) -> CardContents? {
        CardContents(self, names: names, at: FHIRDate(moment))
    }
}
