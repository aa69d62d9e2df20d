import ArgumentParser
import FoundationEssentials
import SMARTHealthCards

/// Whom to trust.
struct TrustOptions: ParsableArguments {
    @Option(
        name: .customLong("trust"),
        help: ArgumentHelp(
            "Trust this issuer; issuers that are not named are refused. Repeatable.", valueName: "iss"))
    var trust: [String] = []

    @Flag(
        name: .customLong("require-trusted"),
        help: "Refuse to run unless --trust or --jwks says whom to trust (also SHCVERIFY_REQUIRE_TRUSTED=1).")
    var requireTrusted = false

    var trustedIssuers: TrustedIssuers {
        trust.reduce(into: TrustedIssuers()) { $0.allow(Issuer(unchecked: $1)) }
    }

    /// - Parameter hasKeys: whether keys were given, which is a statement of trust in them.
    func validate(hasKeys: Bool) throws {
        let isRequired = requireTrusted || ProcessInfo.processInfo.environment["SHCVERIFY_REQUIRE_TRUSTED"] == "1"
        guard !isRequired || hasKeys || !trust.isEmpty else {
            throw ValidationError("--require-trusted wants one of --trust and --jwks: say whom to trust.")
        }
    }
}
