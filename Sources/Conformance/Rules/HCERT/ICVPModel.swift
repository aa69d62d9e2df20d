import Credentials
import HealthCertificates

extension Rule {
    /// The rules of WHO's vaccination certificates (ICVP): the logical model of 2025.
    static let icvpRules: [Rule] = [
        model(
            "required", [.missing, .count], "HCERT-V1",
            requirement:
                "A vaccination certificate has `n`, `dob` and `v` with 1 to 100 vaccinations, and each of these has `vp`, `dt` and `bo`. None "
                + "of them is empty.", remedy: "Add the member. What is not known cannot be left out."),
        model(
            "type", [.otherType, .null], "HCERT-V1",
            requirement:
                "The vaccination certificate and its vaccinations are maps, and all other members are texts and not null.",
            remedy: "Write the value as a text, and leave out optional members that have none."),
        model(
            "date", [.date], "HCERT-V2",
            requirement:
                "`dt`, `vls` and `vle` are dates, written as YYYY-MM-DD, and `dob` is one up to the day, the month or the year.",
            remedy: "Write 2025-12-31."),
        model(
            "product", [.product], "HCERT-V3",
            requirement: "`vp` is the ID of a product in WHO's value set of prequalified vaccines.",
            remedy: "Write the ID of the product, such as YellowFeverProduct and 32 hexadecimal digits."),
        model(
            "issuer", [.issuer], "HCERT-V3",
            requirement: "Each vaccination names the clinician (`cn`) or the issuer (`is`).",
            remedy: "Add `cn` or `is`."),
        // A warning: all public certificates have a map, and verifiers read it.
        model(
            "array", [.notArray], "HCERT-V1", severity: .warning,
            requirement: "`v` is an array, also if it has one vaccination.", remedy: "Write [{…}]."),
        // A warning: verifiers ignore such members.
        model(
            "member", [.unknownMember], "HCERT-V1", severity: .warning,
            requirement: "A vaccination certificate has no members that the model does not know.",
            remedy: "Leave out the member."),
        // A warning: verifiers read both shapes.
        model(
            "shape", [.oldShape], "HCERT-V4", severity: .warning,
            requirement: "A vaccination has the members of the model of 2025, and none of that of 2024.",
            remedy: "Leave out `dn`, `tg`, `ma`, `mp` and `mid`, and write the ID of the product as `vp`."),
    ]

    /// The rule that the content does not depart from the model in some ways, which are found in their order.
    private static func model(
        _ name: String, _ kinds: [ICVPProblem.Kind], _ citation: Citation, severity: Severity = .error,
        requirement: String, remedy: String
    ) -> Rule {
        Rule(
            "icvp-schema-error", name, citation, severity: severity, requirement: requirement, remedy: remedy,
            check: .icvp { content in
                kinds.flatMap { kind in content.model.problems.filter { $0.kind == kind } }
                    .map { Problem($0.message, path: $0.path) }
            })
    }
}
