import ArgumentParser
import Conformance
import CredentialReports
import Credentials
import Directories
import Evidence
import LintReports
import SMARTHealthCards

/// `shcverify directory audit`: checks a directory and every issuer in it.
struct DirectoryAuditCommand: WaitingCommand {
    static let configuration = CommandConfiguration.of("directory audit")

    @Option(help: .of("directory.directoryaudit"), completion: .file()) var directory: [GivenValues] = []

    @Option(name: .customLong("compare"), help: .of("compare"), completion: .file()) var earlier: String?

    @Option(help: .of("exclude"), completion: .list(KnownWords.rules)) var exclude: [GivenValues] = []
    @OptionGroup var round: SweepOptions

    @Option(help: ArgumentHelp(AuditFormat.help)) var format = AuditFormat.text

    @Option(help: "The lowest severity that sets exit code 10.") var failOn = Severity.error

    @Option(help: "Whether to colour the report. NO_COLOR is respected.") var color = ColorChoice.auto

    /// The size of the revocation lists of one issuer, in bytes. Several issuers are judged at the same time.
    private static let listSize = Bounds.revocationListSize / 4

    func validate() throws { try RuleExclusions(exclude).validate() }

    nonisolated(nonsending) func perform() async throws -> RunOutcome {
        ProcessSetup.requireThreads()
        try ProcessSetup.checkOpenSSL()
        try MachineClock.requireRight(takesTime: false)
        let start = ContinuousClock.now
        let named = directory.isEmpty ? [ListStore.Name.vci.rawValue] : directory.all
        var policy = LintPolicy(now: .now)
        policy.waivedRules = RuleExclusions(exclude).waivedRules()
        var files: [(name: String, bytes: [UInt8])] = []
        for name in named {
            let observer = ValueObserver { given in
                if given.isFile { files.append((given.path ?? name, given.content())) }
            }
            policy.trustedIssuers.add(try OptionFile.issuers(name, observedBy: observer))
        }
        let before = try earlier.map { try OptionFile.earlier($0, option: "--compare") }
        var linter = try Linter(policy: policy)
        for file in files { linter.add(file.bytes, source: file.name, as: .directory) }
        linter.finishReading()

        let entries = policy.trustedIssuers.entries
        let audited = try await IssuerSweep(round, triesTLS: true, listSize: Self.listSize).results(
            of: entries.map(\.issuer), showing: SweepProgressLine(count: entries.count)
        ) { [policy] place, answers in
            try AuditedIssuer(entries[place], answers: answers, policy: policy)
        }
        var issuers = zip(entries, audited).map { $1 ?? AuditedIssuer(notJudged: $0) }
        let names = files.map(\.name)
        let comparison = before.map { before in
            DirectoryComparison(
                from: earlier ?? "", DirectoryChange.all(from: before.states, to: issuers.map(\.state)),
                findings: before.audit.map { [findings = linter.findings, issuers] in
                    FindingChanges(
                        since: $0, directories: names, findings: findings, issuers: issuers,
                        waived: policy.waivedRules)
                })
        }
        let known = Dictionary((before?.states ?? []).map { ($0.issuer, $0) }) { first, _ in first }
        for place in issuers.indices { issuers[place].keep(known[issuers[place].entry.issuer]) }
        let audit = DirectoryAudit(
            at: policy.now, of: names, findings: linter.findings, issuers: issuers,
            comparison: comparison,
            waived: policy.waivedRules.count, failingOn: failOn, duration: start.duration(to: .now))
        try format.write(
            audit, to: StandardStreams.destination(isColoured: color.isOn), by: .shcverify, sink: StandardStreams.write)
        return audit.outcome
    }
}
