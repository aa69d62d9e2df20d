import Conformance
import JSON
import SMARTHealthCards

/// Lint, of whatever the input is and of something that it is taken for, and all its reports.
enum LintTarget: FuzzTarget {
    static let name = "lint"

    private static let policy: LintPolicy = {
        var policy = LintPolicy(now: FixedPolicy.now)
        policy.givenKeys = FixedPolicy.keysGiven.givenKeys
        policy.givenLists = FixedPolicy.strict.givenLists
        policy.trustedIssuers = FixedPolicy.strict.trustedIssuers
        policy.profile = .usaCOVID19Immunization
        policy.issuer = Issuer(unchecked: "https://issuer-a.example/cards")
        return policy
    }()

    static func run(_ bytes: [UInt8]) {
        // The last byte but one decides, so that both white space and a mutation make it another kind.
        let kinds: [LintKind?] = [nil] + LintKind.allCases
        let kind = kinds[bytes.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % kinds.count]
        for kind in kind == nil ? [nil] : [nil, kind] { lint(bytes, as: kind) }
    }

    private static func lint(_ bytes: [UInt8], as kind: LintKind?) {
        guard var linter = try? Linter(policy: policy) else { return }
        linter.add(bytes, source: "fuzz", as: kind)
        linter.finishReading()
        var evidence = Evidence()
        var rounds = 0
        while true {
            let requests = linter.judge(with: evidence)
            guard !requests.isEmpty else { break }
            rounds += 1
            require(rounds < 100, "what was asked for is not asked for again and again")
            for request in requests { evidence.refuse(request) }
        }
        let outcome = LintOutcome(
            inputs: [LintOutcome.Input(source: "fuzz")], findings: linter.findings, waived: 0, failsOn: .warning,
            duration: .zero)
        for finding in linter.findings {
            require(finding.offset.map { $0 >= 0 } != false && finding.line.map { $0 > 0 } != false, "a place is one")
        }
        let reports: [any LintReport] = [
            LintTextReport(palette: Palette(isOn: false), width: nil),
            LintTextReport(palette: Palette(isOn: false), width: 40), LintJUnitReport(now: FixedPolicy.now),
        ]
        for report in reports { ReportOracle.isInert(report.bytes(outcome)) }
        ReportOracle.isInert(LintGitHubReport().bytes(outcome), hasCommands: true)
        for report in [LintJSONReport(escapesUnprintable: true), LintSARIFReport(escapesUnprintable: true)]
            as [any LintReport]
        {
            let document = report.bytes(outcome)
            ReportOracle.isInert(document)
            _ = ReportOracle.json(document)
        }
    }
}
