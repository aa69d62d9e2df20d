import Credentials
import HealthCertificates

extension Rule {
    /// The rules of WHO's vaccination certificates (ICVP): the logical model of 2025.
    static let icvpRules: [Rule] = [
        model("required", .missing, .count), model("type", .otherType, .null), model("date", .date),
        model("product", .product), model("issuer", .issuer),
        // A warning: all public certificates have a map, and verifiers read it.
        model("array", .notArray),
        // A warning: verifiers ignore such members.
        model("member", .unknownMember),
        // A warning: verifiers read both shapes.
        model("shape", .oldShape),
    ]

    /// The rule that the content does not violate the model in certain ways, which are reported in order.
    private static func model(_ name: String, _ kinds: ICVPProblem.Kind...) -> Rule {
        Rule("icvp-schema-error/\(name)", RuleCheck.icvp) { content in
            kinds.flatMap { kind in content.model.problems.filter { $0.kind == kind } }
                .map { Problem($0.message, path: $0.path) }
        }
    }
}
