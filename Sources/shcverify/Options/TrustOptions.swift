import ArgumentParser
import FoundationEssentials
import SMARTHealthCards

/// Whom to trust.
struct TrustOptions: ParsableArguments {
    @Option(
        name: .customLong("directory"),
        help: ArgumentHelp(
            "Trusted issuers: a vci-issuers.json, or a VCI snapshot with keys and revocation lists; \"vci\" is the one "
                + "that \"directory update\" installed. Repeatable.", valueName: "file"))
    var directory: [String] = []

    @Option(
        name: .customLong("max-directory-age"),
        help: ArgumentHelp(
            "Do not rely on a directory's keys that were retrieved longer ago than this.", valueName: "days"))
    var maxDirectoryAge: Double?

    @Option(
        name: .customLong("trust"),
        help: ArgumentHelp(
            "Trust this issuer; issuers that are not named are refused. Repeatable.", valueName: "iss"))
    var trust: [String] = []

    @Option(
        name: .customLong("anchor"),
        help: ArgumentHelp(
            "Trust issuers by certificate: a key's x5c must chain to one of these and name the issuer. Repeatable.",
            valueName: "pem"))
    var anchor: [String] = []

    @Flag(
        name: .customLong("require-trusted"),
        help: ArgumentHelp(
            "Refuse to run unless --directory, --trust, --anchor or --jwks says whom to trust (also SHCVERIFY_REQUIRE_TRUSTED=1)."
        ))
    var requireTrusted = false

    func validate() throws {
        if let days = maxDirectoryAge, !(0...36_500).contains(days) {
            throw ValidationError("--max-directory-age is a number of days, 0 or more.")
        }
    }

    /// Whether the command line or the environment asks that trust be stated.
    var isTrustRequired: Bool {
        // Anything but a clear no is a yes: a gate must not be open for a misspelling.
        let value = ProcessInfo.processInfo.environment["SHCVERIFY_REQUIRE_TRUSTED"] ?? ""
        return requireTrusted || !["", "0", "false", "no", "off"].contains(value.lowercased())
    }

    /// - Parameter hasKeys: whether keys were given, which is a statement of trust in them.
    func validate(hasKeys: Bool) throws {
        guard !isTrustRequired || hasKeys || !trust.isEmpty || !directory.isEmpty || !anchor.isEmpty else {
            throw ValidationError(
                "--require-trusted wants one of --directory, --trust, --anchor and --jwks: say whom to trust.")
        }
    }

    /// The lists that were given.
    func trustedIssuers() throws -> TrustedIssuers {
        var issuers = TrustedIssuers()
        for url in trust { issuers.allow(Issuer(unchecked: url)) }
        for name in directory {
            for file in try OptionFile.directories(name) { issuers.add(file) }
        }
        issuers.anchors = try OptionFile.anchors(anchor)
        return issuers
    }
}
