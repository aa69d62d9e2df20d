import Credentials
import HealthCertificates

extension Rule {
    /// The rules of WHO's vaccination certificates (ICVP): the logical model of 2025.
    static let icvpRules: [Rule] = [
        icvpRequired, icvpType, icvpDate, icvpProduct, icvpIssuer, icvpArray, icvpMember, icvpShape,
    ]

    static let icvpRequired = Rule(
        "icvp-schema-error", "required", "HCERT-V1",
        requirement:
            "A vaccination certificate has `n`, `dob` and `v` with 1 to 100 vaccinations, and each of these has `vp`, `dt` and `bo`. None "
            + "of them is empty.",
        remedy: "Add the member. What is not known cannot be left out.",
        check: .icvp { $0.problems(.missing) + $0.problems(.count) })

    static let icvpType = Rule(
        "icvp-schema-error", "type", "HCERT-V1",
        requirement:
            "The vaccination certificate and its vaccinations are maps, and all other members are texts and not null.",
        remedy: "Write the value as a text, and leave out optional members that have none.",
        check: .icvp { $0.problems(.otherType) + $0.problems(.null) })

    static let icvpDate = Rule(
        "icvp-schema-error", "date", "HCERT-V2",
        requirement:
            "`dt`, `vls` and `vle` are dates, written as YYYY-MM-DD, and `dob` is one up to the day, the month or the year.",
        remedy: "Write 2025-12-31.",
        check: .icvp { $0.problems(.date) })

    static let icvpProduct = Rule(
        "icvp-schema-error", "product", "HCERT-V3",
        requirement: "`vp` is the ID of a product in WHO's value set of prequalified vaccines.",
        remedy: "Write the ID of the product, such as YellowFeverProduct and 32 hexadecimal digits.",
        check: .icvp { $0.problems(.product) })

    static let icvpIssuer = Rule(
        "icvp-schema-error", "issuer", "HCERT-V3",
        requirement: "Each vaccination names the clinician (`cn`) or the issuer (`is`).",
        remedy: "Add `cn` or `is`.",
        check: .icvp { $0.problems(.issuer) })

    /// A warning: all public certificates have a map, and verifiers read it.
    static let icvpArray = Rule(
        "icvp-schema-error", "array", "HCERT-V1", severity: .warning,
        requirement: "`v` is an array, also if it has one vaccination.",
        remedy: "Write [{…}].",
        check: .icvp { $0.problems(.notArray) })

    /// A warning: verifiers ignore such members.
    static let icvpMember = Rule(
        "icvp-schema-error", "member", "HCERT-V1", severity: .warning,
        requirement: "A vaccination certificate has no members that the model does not know.",
        remedy: "Leave out the member.",
        check: .icvp { $0.problems(.unknownMember) })

    /// A warning: verifiers read both shapes.
    static let icvpShape = Rule(
        "icvp-schema-error", "shape", "HCERT-V4", severity: .warning,
        requirement: "A vaccination has the members of the model of 2025, and none of that of 2024.",
        remedy: "Leave out `dn`, `tg`, `ma`, `mp` and `mid`, and write the ID of the product as `vp`.",
        check: .icvp { $0.problems(.oldShape) })
}

extension ICVPSubject {
    fileprivate func problems(_ kind: ICVPProblem.Kind) -> [Problem] {
        model.problems.filter { $0.kind == kind }.map { Problem($0.message, path: $0.path) }
    }
}
