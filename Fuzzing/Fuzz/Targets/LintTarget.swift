import Conformance
import CredentialReports
import Credentials
import Encodings
import LintReports
import SMARTHealthCards

/// Lint and all its reports. Each input is linted as its own kind and as one other kind.
enum LintTarget: FuzzTarget {
    static let name = "lint"

    private static let policy: LintPolicy = {
        var policy = LintPolicy(now: FixedPolicy.now)
        policy.givenKeys = FixedPolicy.keysGiven.givenKeys
        policy.givenLists = FixedPolicy.strict.givenLists
        policy.trustedIssuers = FixedPolicy.strict.trustedIssuers
        policy.profiles = LintPolicy.Profile.allCases
        policy.issuer = Issuer(unchecked: "https://issuer-a.example/cards")
        return policy
    }()

    static func run(_ bytes: [UInt8]) {
        // All bytes decide which kind it is, so any mutation can change it.
        let kinds: [InputForm?] = [nil] + InputForm.linted
        let kind = kinds[bytes.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % kinds.count]
        for kind in kind == nil ? [nil] : [nil, kind] { lint(bytes, as: kind) }
    }

    private static func lint(_ bytes: [UInt8], as kind: InputForm?) {
        guard var linter = try? Linter(policy: policy) else { return }
        linter.add(bytes, source: "fuzz", as: kind)
        linter.finishReading()
        var evidence = EvidenceAnswers()
        var rounds = 0
        while true {
            let requests = linter.judge(with: evidence)
            guard !requests.isEmpty else { break }
            rounds += 1
            require(rounds < 100, "a request that was refused is not made again and again")
            for request in requests { evidence.refuse(request) }
        }
        for finding in linter.findings {
            let isPlace = finding.offset.map { $0 >= 0 } != false && finding.line.map { $0 > 0 } != false
            require(isPlace, "offsets count from 0 and lines from 1")
        }
        let summary = LintSummary(
            of: linter.findings, inputs: [LintSummary.Input(source: "fuzz")], waived: 0, failsOn: .warning,
            duration: .zero)
        for format in LintFormat.allCases {
            for width in format == .text ? [nil, 40] : [nil] as [Int?] {
                let destination = Destination(isTerminal: format != .text || width != nil, width: width)
                let report = format.report(
                    on: summary, now: FixedPolicy.now, to: destination, by: VerdictReports.tool
                ).text(of: linter.findings)
                ReportOracle.isInert(report, hasCommands: format == .github)
                if format == .json || format == .sarif { _ = ReportOracle.json(report) }
            }
        }
    }
}
