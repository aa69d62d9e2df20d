import ArgumentParser
import Credentials
import HealthCertificates
import JOSE
import SMARTHealthCards

/// The keys and revocation lists that the user gives.
struct KeyOptions: ParsableArguments {
    @Option(
        name: .customLong("jwks"),
        help: ArgumentHelp(
            "Keys to verify with, instead of fetching the issuer's: ISS=FILE for the key set of one issuer, FILE for that of the only "
                + "issuer you expect; for EU certificates also signer certificates in PEM or DER. If no list says whom to trust, "
                + "only cards that verify with these keys can pass. Repeatable.",
            valueName: "[iss=]file"), completion: .file())
    var jwks: [GivenValues] = []

    @Option(
        name: .customLong("crl"),
        help: ArgumentHelp(
            "A card revocation list to apply, instead of fetching the issuer's, or a batch of revoked EU certificates. "
                + "Repeatable.", valueName: "file"), completion: .file())
    var crl: [GivenValues] = []
}

/// The lists of trusted issuers.
struct TrustListOptions: ParsableArguments {
    @Option(
        name: .customLong("directory"),
        help: ArgumentHelp(
            "Trusted issuers: a vci-issuers.json, a VCI snapshot with keys and revocation lists, or a folder with both, in "
                + "which the list restricts the snapshot. For EU certificates: WHO's list (GDHCN), a list of the EU gateway, the "
                + "German list, or signer certificates in PEM or DER. \"vci\" and \"gdhcn\" are the lists that \"directory "
                + "update\" installed. Repeatable: an issuer on any of the lists is trusted.", valueName: "file"),
        completion: .file())
    var directory: [GivenValues] = []

    @Option(
        name: .customLong("trust"),
        help: ArgumentHelp(
            "Trust the issuer with exactly this https URL. Issuers that are on no list are refused. Repeatable.",
            valueName: "iss"),
        completion: .shellCommand(KnownWords.issuers))
    var trust: [GivenValues] = []

    @Option(
        name: .customLong("anchor"),
        help: ArgumentHelp(
            "Trust issuers by certificate: a key's x5c must chain to one of these and name the issuer. Signer certificates of EU "
                + "certificates, if given as such or with --jwks, must be signed by one of these (CSCA). Repeatable.",
            valueName: "pem"), completion: .file())
    var anchor: [GivenValues] = []

    @Option(name: .customLong("list-key"), help: .listKey, completion: .file())
    var listKey: [GivenValues] = []

    @Flag(name: .customLong("allow-test-lists"), help: .testLists)
    var allowTestLists = false

    func validate() throws {
        for url in trust.all { _ = try Issuer(url, option: "--trust") }
    }

    /// Whether no list is given.
    var isEmpty: Bool { directory.isEmpty && trust.isEmpty && anchor.isEmpty }
}

/// What is required of the lists of trusted issuers.
struct TrustOptions: ParsableArguments {
    @Option(
        name: .customLong("max-directory-age"),
        help: ArgumentHelp(
            "Do not rely on a directory's keys if they were retrieved longer ago than this. If a file has no date, its "
                + "age cannot be checked, and a warning says so.", valueName: "days"))
    var maxDirectoryAge: Double?

    @Flag(
        name: .customLong("require-trusted"),
        help: ArgumentHelp(
            "Refuse to run unless --directory, --trust, --anchor or --jwks says whom to trust, or if other users may write to a file of "
                + "these options (also SHCVERIFY_REQUIRE_TRUSTED=1)."
        ))
    var requireTrusted = false

    @Flag(
        name: .customLong("require-revocation"),
        help: ArgumentHelp(
            "Do not let a card pass (21) that could have been revoked and was looked up in no list, such as an EU certificate "
                + "without --crl (also SHCVERIFY_REQUIRE_REVOCATION=1)."))
    var requireRevocation = false

    /// Whether the command line or the environment requires that revocation is checked.
    var isRevocationRequired: Bool { requireRevocation || EnvironmentVariable.isSet("SHCVERIFY_REQUIRE_REVOCATION") }

    func validate() throws {
        if let days = maxDirectoryAge, !(0...36_500).contains(days) {
            throw ValidationError("--max-directory-age must be a number of days from 0 to 36500.")
        }
    }

    /// Whether the command line or the environment requires a statement of trust.
    var isTrustRequired: Bool {
        requireTrusted || EnvironmentVariable.isSet("SHCVERIFY_REQUIRE_TRUSTED")
    }

    /// Throws if a statement of trust is required and none is given.
    ///
    /// - Parameters:
    ///   - lists: the lists.
    ///   - hasKeys: whether `--jwks` is given, which is a statement of trust in those keys.
    ///   - remark: what the message says besides.
    func validate(_ lists: TrustListOptions, hasKeys: Bool, remark: String = "") throws {
        guard !isTrustRequired || hasKeys || !lists.isEmpty else {
            throw ValidationError(
                "--require-trusted needs one of --directory, --trust, --anchor and --jwks, to say whom to trust.\(remark)"
            )
        }
    }
}

extension EnvironmentVariable {
    /// Whether a variable says yes. Every value but a clear no means yes: a misspelt value must not open a gate.
    fileprivate static func isSet(_ name: String) -> Bool {
        !["", "0", "false", "no", "off"].contains((value(of: name) ?? "").lowercased())
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
