import ArgumentParser
import SMARTHealthCards

/// Whom to trust, and whether that has to be said.
struct TrustOptions: ParsableArguments {
    @OptionGroup var lists: TrustListOptions

    @Option(
        name: .customLong("max-directory-age"),
        help: ArgumentHelp(
            "Do not rely on a directory's keys that were retrieved longer ago than this.", valueName: "days"))
    var maxDirectoryAge: Double?

    @Flag(
        name: .customLong("require-trusted"),
        help: ArgumentHelp(
            "Refuse to run unless --directory, --trust, --anchor or --jwks says whom to trust (also SHCVERIFY_REQUIRE_TRUSTED=1)."
        ))
    var requireTrusted = false

    func validate() throws {
        if let days = maxDirectoryAge, !(0...36_500).contains(days) {
            throw ValidationError("--max-directory-age is a number of days, from 0 to 36500.")
        }
    }

    /// Whether the command line or the environment asks that trust be stated.
    var isTrustRequired: Bool {
        // Anything but a clear no is a yes: a gate must not be open for a misspelling.
        let value = EnvironmentVariable.value(of: "SHCVERIFY_REQUIRE_TRUSTED") ?? ""
        return requireTrusted || !["", "0", "false", "no", "off"].contains(value.lowercased())
    }

    /// - Parameter hasKeys: whether keys were given, which is a statement of trust in them.
    func validate(hasKeys: Bool) throws {
        guard !isTrustRequired || hasKeys || !lists.isEmpty else {
            throw ValidationError(
                "--require-trusted wants one of --directory, --trust, --anchor and --jwks: say whom to trust.")
        }
    }

    /// The lists that were given.
    func trustedIssuers(noting note: OptionFile.Note) throws -> TrustedIssuers {
        if let maxDirectoryAge { note("--max-directory-age", Array("\(maxDirectoryAge)".utf8)) }
        if isTrustRequired { note("--require-trusted", []) }
        return try lists.trustedIssuers(noting: note)
    }
}
