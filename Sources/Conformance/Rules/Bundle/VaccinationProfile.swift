import FHIR
import JSON
import SMARTHealthCards

/// What the rules of the Vaccination & Testing guide share: the Bundles that they apply to, and their severity.
///
/// The guide's data minimization profiles (`-dm`) say which elements a card has. Its allowable data profiles (`-ad`)
/// are for cards that need more. The guide is not binding, so a departure is an error only if a profile was asked for.
/// It is a warning if the Bundle has the content that the guide is about.
struct VaccinationProfile: Sendable {
    /// The severity of a departure.
    let severity: Severity
    /// The profile that was asked for; nil if there is none.
    let profile: LintPolicy.Profile?
    let patients: [JSONValue]
    let immunizations: [JSONValue]
    let observations: [JSONValue]

    /// The number of problems that one rule collects.
    static let problemsOfRule = 1000

    /// Nil if the guide does not apply: no profile was asked for, and the Bundle is not of R4, has resources other than
    /// patients, vaccinations and tests, or has nothing about COVID-19.
    init?(_ entries: [BundleSubject.Entry], isR4: Bool, policy: LintPolicy) {
        let resources = { (type: UTF8Text) in entries.filter { $0.isOf(type) }.compactMap(\.resource) }
        patients = resources("Patient")
        immunizations = resources("Immunization")
        observations = resources("Observation")
        profile = policy.profile
        severity = policy.profile == nil ? .warning : .error
        guard policy.profile == nil else { return }
        guard isR4, !patients.isEmpty, patients.count + immunizations.count + observations.count == entries.count,
            immunizations.contains(where: { Self.isOfCOVID19($0["vaccineCode"], policy) })
                || observations.contains(where: { Self.isOfCOVID19($0["code"], policy) })
        else { return nil }
    }

    /// Whether one of a concept's codes is about COVID-19.
    static func isOfCOVID19(_ concept: JSONValue?, _ policy: LintPolicy) -> Bool {
        concept?["coding"]?.elements?.contains { coding in
            coding["code"]?.string.map { code in
                policy.codeNames.isCOVID19(Code(system: coding["system"]?.string, code: code))
            } ?? false
        } ?? false
    }

    /// The problems that a check finds in each of some resources, up to the limit.
    func problems(in resources: [JSONValue], _ look: (JSONValue) -> [Problem]) -> [Problem] {
        var problems: [Problem] = []
        for resource in resources where problems.count < Self.problemsOfRule { problems += look(resource) }
        return problems
    }

    /// The problem of an element that cards of this kind leave out.
    func leftOut(_ element: String, at value: JSONValue) -> Problem {
        Problem("`\(element)` is present; vaccination and test cards leave it out", at: value, severity: severity)
    }

    /// The members of an object, or of the objects in an array, that cards of this kind leave out.
    func leftOut(_ names: Set<UTF8Text>, of value: JSONValue?, named element: String) -> [Problem] {
        if let values = value?.elements {
            return values.prefix(Self.problemsOfRule).flatMap { value in
                value.kind == .object ? leftOut(names, of: value, named: element) : []
            }
        }
        return value?.members?.compactMap { name, value in
            guard names.contains(name) else { return nil }
            return leftOut("\(element).\(name)", at: value)
        } ?? []
    }

    /// What every resource leaves out. SHC-B1 to B3 have rules of their own.
    static let everywhere: Set<UTF8Text> = ["implicitRules", "language", "contained", "extension", "modifierExtension"]
    /// Members that a reference to the patient leaves out.
    static let inPatientReference: Set<UTF8Text> = ["type", "identifier", "display"]
    /// Members that a reference to an organization leaves out, because its name is enough.
    static let inPerformer: Set<UTF8Text> = ["id", "extension", "reference", "type", "identifier"]
}

extension RuleCheck {
    /// Checks a Bundle that the guide applies to.
    static func vaccinationCard(
        _ look: @escaping @Sendable (VaccinationProfile, BundleSubject) -> [Problem]
    ) -> RuleCheck {
        .bundle { subject in subject.profile.map { look($0, subject) } ?? [] }
    }

    /// Checks a Bundle for which the profile was asked for.
    static func usaProfile(
        _ look: @escaping @Sendable (VaccinationProfile, BundleSubject) -> [Problem]
    ) -> RuleCheck {
        .vaccinationCard { profile, subject in
            profile.profile == .usaCOVID19Immunization ? look(profile, subject) : []
        }
    }

    /// Checks each Patient of a Bundle that the guide applies to.
    static func eachPatient(
        _ look: @escaping @Sendable (JSONValue, VaccinationProfile) -> [Problem]
    ) -> RuleCheck {
        .vaccinationCard { profile, _ in profile.problems(in: profile.patients) { look($0, profile) } }
    }

    /// Checks each Immunization of a Bundle that the guide applies to.
    static func eachImmunization(
        _ look: @escaping @Sendable (JSONValue, VaccinationProfile) -> [Problem]
    ) -> RuleCheck {
        .vaccinationCard { profile, _ in profile.problems(in: profile.immunizations) { look($0, profile) } }
    }

    /// Checks each Observation of a Bundle that the guide applies to.
    static func eachObservation(
        _ look: @escaping @Sendable (JSONValue, VaccinationProfile) -> [Problem]
    ) -> RuleCheck {
        .vaccinationCard { profile, _ in profile.problems(in: profile.observations) { look($0, profile) } }
    }
}
