import FHIR
import JSON
import SMARTHealthCards

/// The Vaccination & Testing guide's profiles, in the part that its rules share: to which Bundles they apply, and how
/// gravely.
///
/// The guide's data minimization profiles (`-dm`) say which elements a card holds; its allowable data profiles (`-ad`) are
/// for what cannot be verified otherwise. Nobody is bound to the guide, so that a departure is an error only where a
/// profile was asked for, and a warning where the Bundle is a card of the guide's kind all the same.
struct VaccinationProfile: Sendable {
    /// How grave a departure is.
    let severity: Severity
    /// The profile that was asked for; nil if the Bundle is only taken for such a card.
    let profile: LintPolicy.Profile?
    let patients: [JSONValue]
    let immunizations: [JSONValue]
    let observations: [JSONValue]

    /// Problems of one rule that are looked for.
    static let problemsOfRule = 1000

    /// Nil if the guide does not apply: no profile was asked for, and the Bundle holds something else than a patient's
    /// vaccinations and tests, none of them for COVID-19, or is not of R4.
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

    /// Whether one of a concept's codes is of COVID-19.
    static func isOfCOVID19(_ concept: JSONValue?, _ policy: LintPolicy) -> Bool {
        concept?["coding"]?.elements?.contains { coding in
            coding["code"]?.string.map { code in
                policy.codeNames.isCOVID19(Code(system: coding["system"]?.string, code: code))
            } ?? false
        } ?? false
    }

    /// What a look at each of some resources finds, the first many of it.
    func problems(in resources: [JSONValue], _ look: (JSONValue) -> [Problem]) -> [Problem] {
        var problems: [Problem] = []
        for resource in resources where problems.count < Self.problemsOfRule { problems += look(resource) }
        return problems
    }

    /// The members of an object, or of the objects in an array, that such a card leaves out.
    func leftOut(_ names: Set<UTF8Text>, of value: JSONValue?, named element: String) -> [Problem] {
        if let values = value?.elements {
            return values.prefix(Self.problemsOfRule).flatMap { value in
                value.kind == .object ? leftOut(names, of: value, named: element) : []
            }
        }
        return value?.members?.compactMap { name, value in
            guard names.contains(name) else { return nil }
            return Problem("\(element).\(name) is left out on such a card", at: value, severity: severity)
        } ?? []
    }

    /// What every resource leaves out, beside B1 to B3, which have rules of their own.
    static let everywhere: Set<UTF8Text> = ["implicitRules", "language", "contained", "extension", "modifierExtension"]
    /// What a reference to the patient leaves out.
    static let inPatientReference: Set<UTF8Text> = ["type", "identifier", "display"]
    /// What a reference to an organization leaves out, for its name.
    static let inPerformer: Set<UTF8Text> = ["id", "extension", "reference", "type", "identifier"]
}
