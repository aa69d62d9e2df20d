import ArgumentParser
import Conformance
import CredentialReports
import Credentials
import Evidence
import HTTPSFetch
import HealthCertificates
import LintReports
import SMARTHealthCards

/// The options of `lint` for its inputs and rules.
struct LintRuleOptions: ParsableArguments {
    @Option(help: .of("lines"), completion: .file()) var lines: String?

    @Option(help: .of("jobs.lint")) var jobs: Int?

    @Flag(help: .of("no-precompute.lint")) var noPrecompute = false

    @Option(name: .customLong("as"), help: .of("as")) var kind: InputForm?

    @Option(name: .customLong("iss"), help: .of("iss"), completion: KnownWords.issuers) var publisher: String?

    @Option(help: .of("issuer"), completion: KnownWords.issuers) var issuer: [GivenValues] = []

    @Option(help: .of("card-url")) var cardURL: [GivenValues] = []

    @Option(help: .of("profile")) var profile: [GivenProfile] = []

    @Option(help: .of("exclude"), completion: .list(KnownWords.rules)) var exclude: [GivenValues] = []

    @Option(help: .of("signature.lint"), completion: .file()) var signature: String?

    @Option(help: .of("certificate"), completion: .file()) var certificate: String?
    @Option(help: .of("at"), transform: NumericDate.ofOption) var at: NumericDate?

    /// The rules that are left out.
    var exclusions: RuleExclusions { RuleExclusions(exclude) }

    func validate() throws {
        guard jobs == nil || lines != nil else { throw ValidationError("--jobs is only used with --lines.") }
        guard !noPrecompute || lines != nil else { throw ValidationError("--no-precompute is only used with --lines.") }
        guard (1...1024).contains(jobs ?? 1) else {
            throw ValidationError("--jobs must be a number of threads from 1 to 1024.")
        }
        try exclusions.validate(besides: nil)
        for url in cardURL.all where (try? HTTPSURL(url)) == nil {
            throw ValidationError("--card-url needs an https URL.")
        }
        guard signature != nil || certificate == nil else {
            throw ValidationError("--certificate is only used with --signature.")
        }
        guard signature == nil || kind == nil || kind == .directory else {
            throw ValidationError("--signature needs a directory's snapshot as input, and --as says otherwise.")
        }
    }

    /// The live issuers to check.
    var liveIssuers: [Issuer] { issuer.all.map { Issuer(unchecked: $0) } }

    /// The kind of the inputs; nil to recognise it. Only snapshots are signed.
    var inputKind: InputForm? { signature == nil ? kind : .directory }
}

/// The options of `lint` for its output and its exit code.
struct LintOutputOptions: ParsableArguments {
    @Option(help: ArgumentHelp(LintFormat.help)) var format = LintFormat.text

    @Option(name: .customLong("baseline"), help: .of("baseline"), completion: .file()) var baselineFile: String?

    @Option(help: .of("fail-on.lint")) var failOn = Severity.error

    @Flag(help: "Print every rule (as text or json), and lint nothing.") var list = false

    @Flag(name: [.customShort("q"), .customLong("quiet")], help: .of("quiet.lint")) var quiet = false

    @Option(help: "Whether to colour the report. NO_COLOR is respected.") var color = ColorChoice.auto

    func validate() throws {
        guard baselineFile != "-" else { throw ValidationError("--baseline needs a file.") }
        guard !list || RuleListFormat(rawValue: format.rawValue) != nil else {
            throw ValidationError("--list prints text or json.")
        }
    }

    /// The report that was asked for.
    func report(on summary: LintSummary) -> any Report<Finding> {
        format.report(on: summary, now: .now, to: destination, by: .shcverify)
    }

    /// The list of rules that was asked for; nil if the format has none.
    var ruleList: (any Report<Rule>)? { RuleListFormat(rawValue: format.rawValue)?.report(to: destination) }

    private var destination: Destination { StandardStreams.destination(isColoured: color.isOn) }
}
