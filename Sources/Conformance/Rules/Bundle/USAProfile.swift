import Credentials
import Encodings
import FHIR

/// The rule of the profile usa-covid19-immunization that rows cannot say (Sources/CData/data/profile-usa.txt has the others).
enum USAProfile {
    static let code = ProfileCode(checks: [
        "vaccine-code": .bundle(needing: .profile(.usaCOVID19Immunization)) { subject in
            subject.entries.resources("Immunization").problems { immunization in
                guard let concept = immunization["vaccineCode"] else { return [] }
                let codings = concept.list("coding")
                guard codings.contains(where: { $0["system"]?.isString("http://hl7.org/fhir/sid/cvx") == true }) else {
                    let isOtherName = codings.contains {
                        Code(system: $0["system"]?.string, code: "").canonical.system == Code.cvx
                    }
                    let words = isOtherName ? "names CVX by its OID, and not by its URL" : "has no CVX code"
                    return .found("`vaccineCode` of the Immunization \(words)", at: concept)
                }
                let names = subject.policy.codeNames
                switch isAgainstCOVID19(codings, names) {
                case true?: return []
                case false?:
                    return .found(
                        "`vaccineCode` of the Immunization is not a COVID-19 vaccine in the CDC's list", at: concept)
                case nil:
                    return .found(
                        "it is unknown whether `vaccineCode` of the Immunization is a COVID-19 vaccine: its codes are on no known list"
                            + "\(KnownCodes.age(of: Code.cvx, names))", at: concept,
                        severity: .unchecked)
                }
            }
        }
    ])

    /// Whether a vaccine is against COVID-19, by its codes. Nil if no list in use tells what any of them is, and one of CVX may be newer
    /// than the lists.
    private static func isAgainstCOVID19(_ codings: [JSONValue], _ names: CodeNames) -> Bool? {
        let codes = codings.compactMap { coding in
            coding["code"]?.string.map { Code(system: coding["system"]?.string, code: $0) }
        }
        if codes.contains(where: { names.isCOVID19($0) }) { return true }
        guard !codes.contains(where: { names.isTold($0) }) else { return false }
        let mayBe = codings.contains { coding in
            coding["system"]?.isString(Code.cvx.description) == true
                && VaccinationGuide.membership(of: coding, names) != .other
        }
        return mayBe ? nil : false
    }
}
