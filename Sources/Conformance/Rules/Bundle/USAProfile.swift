import Credentials
import FHIR
import SMARTHealthCards
import StrictJSON

/// What the rules of the profile usa-covid19-immunization share.
///
/// The profile is that of the Vaccination Credential Initiative's tools: the first data minimization profile of the guide, for
/// cards about COVID-19 in the USA.
struct USAProfile: Sendable {
    let patients: [JSONValue]
    let immunizations: [JSONValue]
    let observations: [JSONValue]

    init(_ entries: [BundleSubject.Entry]) {
        patients = entries.resources("Patient")
        immunizations = entries.resources("Immunization")
        observations = entries.resources("Observation")
    }

    /// Whether a vaccine is against COVID-19, by its codes. Nil if no list in use tells what any of them is, and one of CVX may be newer
    /// than the lists.
    static func isAgainstCOVID19(_ codings: [JSONValue], _ names: CodeNames) -> Bool? {
        let codes = codings.compactMap { coding in
            coding["code"]?.string.map { Code(system: coding["system"]?.string, code: $0) }
        }
        if codes.contains(where: { names.isCOVID19($0) }) { return true }
        guard !codes.contains(where: { names.isTold($0) }) else { return false }
        let mayBe = codings.contains { coding in
            coding["system"]?.isString(Code.cvx.description) == true
                && GuideCodes.membership(of: coding, in: .immunizationAllCVX, names) != .other
        }
        return mayBe ? nil : false
    }

    /// The problem of an element that cards of this kind leave out.
    func leftOut(_ element: String, at value: JSONValue) -> Problem {
        Problem("`\(element)` is present; vaccination and test cards leave it out", at: value)
    }

    /// The members of an object, or of the objects in an array, that cards of this kind leave out.
    func leftOut(_ names: Set<UTF8Text>, of value: JSONValue?, named element: String) -> [Problem] {
        if let values = value?.elements {
            return values.prefix(Bounds.problems).flatMap { value in
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
    /// Checks a Bundle, if the profile was asked for.
    static func usaProfile(_ look: @escaping @Sendable (USAProfile, BundleSubject) -> [Problem]) -> RuleCheck {
        .bundle(needing: .profile(.usaCOVID19Immunization)) { subject in
            subject.usaProfile.map { look($0, subject) } ?? []
        }
    }

    /// Checks each of some resources of a Bundle, if the profile was asked for.
    static func each(
        _ resources: @escaping @Sendable (USAProfile) -> [JSONValue],
        _ look: @escaping @Sendable (JSONValue, USAProfile) -> [Problem]
    ) -> RuleCheck {
        .usaProfile { profile, _ in resources(profile).problems { look($0, profile) } }
    }
}
