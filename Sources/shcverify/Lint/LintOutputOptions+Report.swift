import Conformance
import CredentialReports
import Credentials
import LintReports

extension LintOutputOptions {
    /// The report that was asked for.
    func report(on summary: LintSummary) -> any Report<Finding> {
        format.report(on: summary, now: .now, to: destination, by: .shcverify)
    }

    /// The list of rules that was asked for; nil if the format has none.
    var ruleList: (any Report<Rule>)? { RuleListFormat(rawValue: format.rawValue)?.report(to: destination) }

    private var destination: Destination { StandardStreams.destination(isColoured: color.isOn) }
}
