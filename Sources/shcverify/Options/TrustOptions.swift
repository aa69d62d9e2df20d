import ArgumentParser
import Credentials
import SMARTHealthCards

/// The keys and revocation lists that the user gives.
struct KeyOptions: ParsableArguments {
    @Option(
        name: .customLong("jwks"),
        help: ArgumentHelp(
            "Keys to verify with, instead of fetching the issuer's: a key set, for every issuer or for one. Repeatable.",
            valueName: "[iss=]file"))
    var jwks: [String] = []

    @Option(
        name: .customLong("crl"),
        help: ArgumentHelp(
            "A card revocation list to apply, instead of fetching the issuer's. Repeatable.", valueName: "file"))
    var crl: [String] = []
}

/// The lists of trusted issuers.
struct TrustListOptions: ParsableArguments {
    @Option(
        name: .customLong("directory"),
        help: ArgumentHelp(
            "Trusted issuers: a vci-issuers.json, a VCI snapshot with keys and revocation lists, or a folder with both, in "
                + "which the list restricts the snapshot. \"vci\" is the directory that \"directory update\" installed. "
                + "Repeatable: an issuer in any of the directories is trusted.", valueName: "file"))
    var directory: [String] = []

    @Option(
        name: .customLong("trust"),
        help: ArgumentHelp(
            "Trust this issuer (an https URL). Issuers that are on no list are refused. Repeatable.", valueName: "iss"))
    var trust: [String] = []

    @Option(
        name: .customLong("anchor"),
        help: ArgumentHelp(
            "Trust issuers by certificate: a key's x5c must chain to one of these and name the issuer. Repeatable.",
            valueName: "pem"))
    var anchor: [String] = []

    func validate() throws {
        for url in trust { _ = try Issuer(url, option: "--trust") }
    }

    /// Whether no list is given.
    var isEmpty: Bool { directory.isEmpty && trust.isEmpty && anchor.isEmpty }

    /// The trusted issuers of all given lists.
    ///
    /// - Parameter note: is called with each value.
    func trustedIssuers(noting note: OptionFile.Note = .nothing) throws -> TrustedIssuers {
        var issuers = TrustedIssuers()
        for url in trust {
            issuers.allow(Issuer(unchecked: url))
            note("--trust", Array(url.utf8))
        }
        for name in directory {
            issuers.add(try OptionFile.directory(name, noting: note))
        }
        issuers.anchors = try OptionFile.anchors(anchor, noting: note)
        return issuers
    }
}

/// The lists of trusted issuers, and whether one is required.
struct TrustOptions: ParsableArguments {
    @OptionGroup var lists: TrustListOptions

    @Option(
        name: .customLong("max-directory-age"),
        help: ArgumentHelp(
            "Do not rely on a directory's keys if they were retrieved longer ago than this.", valueName: "days"))
    var maxDirectoryAge: Double?

    @Flag(
        name: .customLong("require-trusted"),
        help: ArgumentHelp(
            "Refuse to run unless --directory, --trust, --anchor or --jwks says whom to trust (also SHCVERIFY_REQUIRE_TRUSTED=1)."
        ))
    var requireTrusted = false

    func validate() throws {
        if let days = maxDirectoryAge, !(0...36_500).contains(days) {
            throw ValidationError("--max-directory-age must be a number of days from 0 to 36500.")
        }
    }

    /// Whether the command line or the environment requires a statement of trust.
    var isTrustRequired: Bool {
        // Every value but a clear no means yes. A misspelt value must not open a gate.
        let value = EnvironmentVariable.value(of: "SHCVERIFY_REQUIRE_TRUSTED") ?? ""
        return requireTrusted || !["", "0", "false", "no", "off"].contains(value.lowercased())
    }

    /// Throws if a statement of trust is required and none is given.
    ///
    /// - Parameter hasKeys: whether `--jwks` is given, which is a statement of trust in those keys.
    func validate(hasKeys: Bool) throws {
        guard !isTrustRequired || hasKeys || !lists.isEmpty else {
            throw ValidationError(
                "--require-trusted needs one of --directory, --trust, --anchor and --jwks, to say whom to trust.")
        }
    }

    /// The trusted issuers of all given lists.
    func trustedIssuers(noting note: OptionFile.Note) throws -> TrustedIssuers {
        if let maxDirectoryAge { note("--max-directory-age", Array("\(maxDirectoryAge)".utf8)) }
        if isTrustRequired { note("--require-trusted", []) }
        return try lists.trustedIssuers(noting: note)
    }
}

extension Issuer {
    /// The issuer that an option names.
    ///
    /// - Throws: if no card's issuer can have this URL, because the option would have no effect. A slash at the end is
    ///   accepted: it is a frequent mistake, and the verdict on a card names the similar issuer.
    init(_ url: String, option: String) throws(ValidationError) {
        do throws(VerificationFailure) {
            _ = try Issuer(url.utf8.last == UInt8(ascii: "/") ? String(url.dropLast()) : url)
        } catch {
            throw ValidationError("\(option) needs the https URL of an issuer, as in its cards; \(error.message)")
        }
        self.init(unchecked: url)
    }
}
