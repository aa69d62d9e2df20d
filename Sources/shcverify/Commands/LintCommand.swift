import ArgumentParser
import Bulk
import Conformance
import Containers
import CredentialReports
import Credentials
import Dispatch
import Encodings
import Evidence
import HTTPSFetch
import Inputs
import LintReports
import SMARTHealthCards
import Verification

/// `shcverify lint INPUT…`: reports every violation of the specification, with a code.
struct LintCommand: WaitingCommand {
    static let configuration = CommandConfiguration.of("lint")

    @OptionGroup(title: "Input") var inputs: InputOptions
    @OptionGroup var rules: LintRuleOptions
    @OptionGroup(title: "Keys") var keys: KeyOptions
    @OptionGroup(title: "Trust") var trust: TrustListOptions
    @OptionGroup(title: "Links") var links: SharedLinkOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup(title: "Output") var output: LintOutputOptions

    func validate() throws {
        guard rules.signature == nil || inputs.input.all.count == 1 && inputs.qr.isEmpty else {
            throw ValidationError("--signature needs exactly one input: the snapshot that was signed.")
        }
        let isEmpty = inputs.isEmpty && rules.issuer.isEmpty && rules.cardURL.isEmpty
        if rules.lines != nil {
            guard isEmpty, rules.signature == nil, !output.list else {
                throw ValidationError(
                    "--lines takes no other inputs: neither INPUT nor --qr, --issuer, --card-url, --signature or --list."
                )
            }
            guard [.text, .json, .sarif, .junit].contains(output.format) else {
                throw ValidationError("--lines prints JSON lines, SARIF or JUnit.")
            }
            return
        }
        guard output.list else { return isEmpty ? try inputs.requireInput() : () }
        guard isEmpty else { throw ValidationError("--list lints nothing, so it takes no inputs.") }
    }

    nonisolated(nonsending) func perform() async throws -> RunOutcome {
        if output.list {
            try rules.exclusions.validate()
            var list = output.ruleList
            try list?.write(rules.exclusions.rules, to: StandardStreams.write)
            return RunOutcome()
        }
        try CommandSandbox(network, inputs).enter()
        ProcessSetup.requireThreads()
        var given: [LintRun.GivenFile] = []
        let policy = try LintPolicy(self, given: &given)
        let baseline = try output.baselineFile.map { try BaselineFile.read($0) } ?? LintBaseline()
        if let path = rules.lines {
            let lines = LintLines(command: self, policy: policy, given: given, baseline: baseline)
            return try await lines.run(path)
        }
        var run = try LintRun(
            policy: policy, store: Requests(network).evidence(.init(for: policy.trustedIssuers, listing: policy.apps)))
        try await run.read(inputs, as: rules.inputKind)
        try await run.followLinks(by: LinkFollower(links, network: network, now: policy.now))
        try await run.download(rules.cardURL.all, by: network)
        run.add(given)
        try await run.ask(rules.liveIssuers, by: network)
        let (findings, summary) = try await run.finish(failingOn: output.failOn, without: baseline)
        for (source, failure) in summary.unreadable { StandardStreams.warn("\(source): unreadable-input: \(failure)") }
        if !output.quiet {
            var report = output.report(on: summary)
            try report.write(findings, to: StandardStreams.write)
        }
        return summary.outcome
    }
}

/// Lints inputs, and gets the evidence that the linter needs.
struct LintRun {
    /// A file of an option, which is linted too.
    struct GivenFile {
        let source: String
        let bytes: [UInt8]
        /// The content as it was parsed; nil to parse it.
        let json: JSONValue?
        let kind: InputForm
        /// The issuer of the file; nil if it is not known.
        let issuer: Issuer?
    }

    private var linter: Linter
    private let store: EvidenceStore
    private var inputs: [LintSummary.Input] = []
    private let start = ContinuousClock.now
    /// The number of excluded rules.
    private let waived: Int

    init(policy: LintPolicy, store: EvidenceStore) throws {
        linter = try Linter(policy: policy)
        waived = policy.waivedRules.count
        self.store = store
    }

    /// Reads the inputs of a command line: files and standard input first, then the texts of QR codes.
    ///
    /// - Throws: `InstallationFault` if the scanner is installed, but does not work.
    nonisolated(nonsending) mutating func read(
        _ options: InputOptions, as kind: InputForm?
    ) async throws(InstallationFault) {
        // The texts of QR codes are joined, so that the line number in a finding is the number of the option.
        var codes: [[UInt8]] = []
        var search = PictureSearch()
        try await options.forEachInput(limit: Bounds.size(of: kind), by: &search) { input in
            switch input.content {
            case .success(.bytes(let bytes)) where input.isCode && !Self.isNoCard(bytes): return codes.append(bytes)
            case .success(.document(let document, _)): linter.add(document, source: input.source)
            case .success(.bytes(let bytes)): linter.add(bytes, source: input.source, as: kind)
            case .failure(let failure) where failure.code == .pictureUnreadable:
                linter.add(
                    ScannedDocument(form: input.form ?? .picture, problem: failure.message), source: input.source)
            case .failure(let failure):
                return inputs.append(LintSummary.Input(source: input.source, failure: failure.message))
            }
            inputs.append(LintSummary.Input(source: input.source))
        }
        if !codes.isEmpty {
            linter.add(Array(codes.joined(separator: [0x0A])), source: "qr", as: .qr)
            inputs.append(LintSummary.Input(source: "qr"))
        }
        linter.finishReading()
    }

    /// Whether the text of a QR code is not simply a card or a part of one, so that it becomes a separate input: a link, a certificate, or
    /// a text that must be repaired.
    private static func isNoCard(_ text: [UInt8]) -> Bool {
        switch Recognition(text[...]).kind {
        case .unsupported, .lines, .text(.link): true
        default: ScannedText(text).isUnwrapped || InputForm.certificatePrefix(text[...]) != nil
        }
    }

    /// Opens the links among the inputs, and lints what is in them.
    nonisolated(nonsending) mutating func followLinks(by follower: LinkFollower) async throws {
        let numbers = linter.links.map(\.input)
        try await follower.follow(linter.links) { link, opening in
            let files = opening.files.enumerated()
            let read = files.prefix(opening.cutFile ?? .max)
            let contents = read.flatMap { number, file in file.contents.map { (file: number, bytes: $0) } }
            let documents = read.compactMap { number, file in file.document.map { (file: number, document: $0) } }
            let shared = files.compactMap { number, file in
                file.summary.kind == .fhir
                    ? file.bytes.map { (file: number, bytes: $0, contentType: file.encryptedType) } : nil
            }
            linter.add(
                link, contents: contents, documents: documents, shared: shared, cutFile: opening.cutFile,
                of: numbers[link.index])
        }
        linter.finishReading()
    }

    /// Adds the files of options, except those that are inputs too.
    mutating func add(_ files: [GivenFile]) {
        let read = Set(inputs.map { Array($0.source.utf8) })
        for file in files where !read.contains(Array(file.source.utf8)) {
            linter.add(given: file.bytes, json: file.json, source: file.source, as: file.kind, of: file.issuer)
        }
    }

    /// Downloads card files, one after another. If one cannot be downloaded, that is a finding.
    mutating func download(_ urls: [String], by network: NetworkOptions) async throws {
        for url in urls {
            linter.add(served: try await Requests(network).cardFile(url))
            inputs.append(LintSummary.Input(source: url))
        }
        linter.finishReading()
    }

    /// Asks live issuers, one after another. If one cannot be reached, that is a finding.
    mutating func ask(_ issuers: [Issuer], by network: NetworkOptions) async throws {
        for issuer in issuers {
            linter.add(try await Requests(network).answers(of: issuer))
            inputs.append(LintSummary.Input(source: issuer.url))
        }
    }

    /// The findings and the totals, after all necessary evidence was fetched.
    ///
    /// - Parameters:
    ///   - severity: the lowest severity that makes the run fail.
    ///   - baseline: the findings of an earlier run, which are left out.
    /// - Throws: `InstallationFault` if something must be fetched and the installation cannot fetch.
    mutating func finish(
        failingOn severity: Severity, without baseline: LintBaseline
    ) async throws -> ([Finding], LintSummary) {
        var caller = store.caller()
        try await store.judge(by: &caller) { linter.judge(with: $0) }
        let all = linter.findings
        let new = all.filter { $0.standsForOthers || !baseline.contains($0.fingerprint) }
        let summary = LintSummary(
            of: new, inputs: inputs, chosenProfiles: linter.chosenProfiles, askedProfiles: linter.askedProfiles,
            idleProfiles: linter.idleProfiles, waived: waived, failsOn: severity, duration: start.duration(to: .now),
            known: all.count - new.count)
        return (new, summary)
    }
}

/// `lint --lines`: each line of a file is an input of its own.
struct LintLines {
    let command: LintCommand
    let policy: LintPolicy
    /// The files of options, which are linted too.
    let given: [LintRun.GivenFile]
    let baseline: LintBaseline

    private var output: LintOutputOptions { command.output }

    /// Whether each finding is printed as soon as it is found. The other formats are reports, which are written at the end.
    private var isJSON: Bool { [.text, .json].contains(output.format) }

    /// - Parameter path: the path of the file.
    @MainActor
    func run(_ path: String) async throws -> RunOutcome {
        let start = ContinuousClock.now
        let store = try Requests(command.network).evidence(.lines(for: policy.trustedIssuers, listing: policy.apps))
        let lines = try GivenLines(path)
        let name = lines.input.source
        let form = LineLintForm(
            source: name, kind: command.rules.inputKind, failsOn: output.failOn, baseline: baseline,
            prints: isJSON && !output.quiet, keeps: !isJSON && !output.quiet,
            escapesUnprintable: StandardStreams.isTerminal)
        let linter = { @Sendable [policy, given] () -> Linter? in
            guard var linter = try? Linter(policy: policy) else { return nil }
            for file in given {
                linter.add(given: file.bytes, json: file.json, source: file.source, as: file.kind, of: file.issuer)
            }
            return linter
        }
        // The findings in files of options come first. They belong to no line.
        let ofFiles = (linter()?.findings ?? []).filter { $0.standsForOthers || !baseline.contains($0.fingerprint) }
        if isJSON, !output.quiet { try print(ofFiles) }
        ProcessSetup.requireThreads(LineThreads.least)
        let progress = LineProgress(unit: "lines", hasResults: isJSON && !output.quiet)
        let precomputation = InstalledLanes.precomputation(isWanted: !command.rules.noPrecompute, command.network.trace)
        let run = LineLintRun(
            linter: linter, store: store, form: form, jobs: LineThreads.count(asked: command.rules.jobs),
            precomputation: precomputation,
            progress: { progress.show($0) })
        let signals = LineSignals()
        let watched = signals.watch { run.interrupt() }
        defer { for source in watched { source.cancel() } }
        let result = await run.run(lines.input.reader())
        if result.hasSummary { progress.finish(result.tally) } else { progress.end() }
        var outcome = result.outcome(
            of: name, results: RunOutcome(result.tally.failed > 0 ? .malformed : nil), signal: signals.signal)
        // The user has been warned already.
        if precomputation?.isInDoubt() == true { outcome = RunOutcome(.internalError) }
        if ofFiles.contains(where: { $0.severity >= output.failOn }) { outcome.add(.malformed) }
        if !isJSON, !output.quiet {
            try write(
                ofFiles, result.tally, of: name, hasFailed: outcome.reason != nil, duration: start.duration(to: .now))
        }
        return outcome
    }

    private func print(_ findings: [Finding]) throws {
        var report = LintLineJSON(escapesUnprintable: StandardStreams.isTerminal)
        var bytes: [UInt8] = []
        for finding in findings { report.write(finding, line: nil, to: &bytes) }
        try StandardStreams.write(bytes)
    }

    /// Writes the report on many lines, which comes at the end: the first findings, and how many are left out.
    private func write(
        _ ofFiles: [Finding], _ tally: LineLintTally, of source: String, hasFailed: Bool, duration: Duration
    ) throws {
        let kept = tally.findings
        let count = { (severity: Severity) in kept.count { $0.severity == severity } }
        let leftOut = (
            errors: tally.numbers.errors - count(.error), warnings: tally.numbers.warnings - count(.warning),
            unchecked: tally.numbers.unchecked - count(.unchecked)
        )
        let rest = leftOut.errors + leftOut.warnings + leftOut.unchecked
        if rest > 0 {
            StandardStreams.warn(
                "shcverify: the report has \(kept.count) findings, and leaves out \(rest) of later lines")
        }
        let summary = LintSummary(
            of: ofFiles + kept, inputs: [LintSummary.Input(source: source)],
            waived: policy.waivedRules.count, failsOn: output.failOn, duration: duration,
            leftOut: leftOut, known: tally.known, hasFailed: hasFailed)
        var report = output.report(on: summary)
        try report.write(ofFiles + kept, to: StandardStreams.write)
    }
}

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
        if let publisher { _ = try Issuer(publisher, option: "--iss") }
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

    /// Throws if there is no such rule. Otherwise a misspelt exclusion would be noticed only when the rule is broken.
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

    /// The IDs of the rules that are excluded, including those of a user's own profiles.
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

    /// Whether it concerns the rules of a user's own profile, which are not known before the files are read.
    var isOfOwnProfile: Bool { pattern.contains(":") }

    /// Whether a rule's code or ID matches the pattern.
    func matches(_ rule: Rule) -> Bool { matches(rule.code) || matches(rule.id) }

    /// Whether the pattern matches a whole name. After a mismatch, the last `*` takes one more character, and the rest is tried again. So
    /// the work is at most the product of the lengths.
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
