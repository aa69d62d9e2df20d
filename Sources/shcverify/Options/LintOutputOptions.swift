import ArgumentParser
import Conformance
import SMARTHealthCards

/// What lint prints, how, and what it fails for.
struct LintOutputOptions: ParsableArguments {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, sarif, junit, github
    }

    @Option(
        name: .customLong("format"),
        help: """
            text: a report for people; json: one JSON document; sarif: SARIF 2.1.0; junit: JUnit XML; github: workflow \
            commands that annotate files.
            """)
    var format = Format.text

    @Option(
        name: .customLong("fail-on"),
        help: """
            From which severity on the exit code is 10. What could not be checked, such as a signature without keys, is \
            unchecked: less than a warning.
            """)
    var failOn = Severity.error

    @Flag(name: .customLong("list"), help: "Print every rule (as text or json), and lint nothing.")
    var list = false

    @Flag(name: [.customShort("q"), .customLong("quiet")], help: "Print nothing to stdout; the exit code says it.")
    var quiet = false

    @Option(name: .customLong("color"), help: "Whether the report is coloured. NO_COLOR is respected.")
    var color = ColorChoice.auto

    func validate() throws {
        guard !list || format == .text || format == .json else {
            throw ValidationError("--list prints text or json.")
        }
    }

    /// The report that was asked for.
    var report: any LintReport {
        switch format {
        case .text: LintTextReport(palette: Palette(isOn: color.isOn), width: StandardStreams.width)
        case .json: LintJSONReport(escapesUnprintable: StandardStreams.isTerminal)
        case .sarif: LintSARIFReport(escapesUnprintable: StandardStreams.isTerminal)
        case .junit: LintJUnitReport(now: .now)
        case .github: LintGitHubReport()
        }
    }
}
