import ArgumentParser
import Conformance
import CredentialReports
import Credentials
import HTTPSFetch
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

/// The rules that are left out.
struct RuleExclusions {
    private let patterns: [RulePattern]

    /// - Parameter values: the values of `--exclude`.
    init(_ values: [GivenValues]) { patterns = values.all.map { RulePattern(text: $0) } }

    /// Throws if there is no such rule. Otherwise a misspelt exclusion would only be noticed when the rule is broken.
    ///
    /// - Parameter own: the rules of the user's own profiles; nil if they are not known yet.
    func validate(besides own: [Rule]? = []) throws {
        let rules = Rule.all + (own ?? [])
        for pattern in patterns where own != nil || !pattern.isOfOwnProfile {
            guard !rules.contains(where: pattern.matches) else { continue }
            throw ValidationError(
                "--exclude \(pattern.text): there is no such rule; \"shcverify lint --list\" lists all rules.")
        }
    }

    /// The rules that are not excluded.
    var rules: [Rule] { Rule.all.filter { rule in !patterns.contains { $0.matches(rule) } } }

    /// The IDs of the rules that are excluded, also of those of a user's own profiles.
    func waivedRules(besides own: [Rule] = []) -> Set<String> {
        patterns.isEmpty
            ? [] : Set((Rule.all + own).filter { rule in patterns.contains { $0.matches(rule) } }.map(\.id))
    }
}

/// A pattern for the codes and IDs of rules: `*` stands for any characters, `?` for one.
struct RulePattern {
    let text: String
    private let pattern: [Unicode.Scalar]

    init(text: String) {
        self.text = text
        pattern = Array(text.unicodeScalars)
    }

    /// Whether it is about the rules of a user's own profile, which are not known before the files are read.
    var isOfOwnProfile: Bool { pattern.contains(":") }

    /// Whether a rule's code or ID matches the pattern.
    func matches(_ rule: Rule) -> Bool { matches(rule.code) || matches(rule.id) }

    /// Whether a whole name matches the pattern. After a mismatch, the last `*` takes one more character, and the rest
    /// is tried again. So the work is at most the product of the lengths.
    private func matches(_ name: String) -> Bool {
        let name = Array(name.unicodeScalars)
        var (here, there) = (0, 0)
        var retry: (pattern: Int, name: Int)?
        while there < name.count {
            if here < pattern.count, pattern[here] == "*" {
                retry = (here + 1, there)
                here += 1
            } else if here < pattern.count, pattern[here] == "?" || pattern[here] == name[there] {
                here += 1
                there += 1
            } else if let last = retry {
                retry = (last.pattern, last.name + 1)
                (here, there) = (last.pattern, last.name + 1)
            } else {
                return false
            }
        }
        return pattern[here...].allSatisfy { $0 == "*" }
    }
}

/// The options of commands that ask all issuers of a directory.
struct SweepOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The number of issuers that are asked at the same time.", valueName: "n")) var jobs = 16

    @Option(help: .of("time-limit")) var timeLimit: Double = 1800

    @OptionGroup(title: "Network") var network: SweepNetworkOptions

    func validate() throws {
        guard (1...64).contains(jobs) else { throw ValidationError("--jobs must be a number of issuers from 1 to 64.") }
        guard (0.001...86_400).contains(timeLimit) else {
            throw ValidationError("--time-limit must be a number of seconds from 0.001 to 86400.")
        }
        guard !network.offline else {
            throw ValidationError(
                "With --offline, no issuer can be asked. \"shcverify lint FILE\" checks the file of a directory alone.")
        }
    }
}
