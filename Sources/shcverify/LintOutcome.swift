import Conformance

/// What a run of lint came to.
struct LintOutcome {
    /// An input that was named.
    struct Input {
        /// What it is called in findings.
        let source: String
        /// Why it could not be read; nil if it could be.
        var failure: String?
    }

    /// The inputs, in the order they were named.
    let inputs: [Input]
    /// What was found and not excluded, in the order of the inputs.
    let findings: [Finding]
    /// How many rules were excluded.
    let waived: Int
    /// From which severity on findings make the run fail.
    let failsOn: Severity
    /// How long it took.
    let duration: Duration
    /// How many of the findings are errors, how many are warnings, and how many say what was not checked.
    let errors: Int
    let warnings: Int
    let unchecked: Int

    init(inputs: [Input], findings: [Finding], waived: Int, failsOn: Severity, duration: Duration) {
        self.inputs = inputs
        self.findings = findings
        self.waived = waived
        self.failsOn = failsOn
        self.duration = duration
        errors = findings.count { $0.severity == .error }
        warnings = findings.count { $0.severity == .warning }
        unchecked = findings.count - errors - warnings
    }

    /// The inputs that could not be read, each with the reason.
    var unreadable: [(source: String, failure: String)] {
        inputs.compactMap { input in input.failure.map { (input.source, $0) } }
    }

    /// Whether a finding makes the run fail.
    func fails(_ finding: Finding) -> Bool { finding.severity >= failsOn }

    /// The findings of each source, and the sources in the order of the inputs. One that was named twice is one.
    var bySource: [(source: String, findings: [Finding])] {
        var order = inputs.filter { $0.failure == nil }.map(\.source)
        order += findings.map(\.source)
        var places: [[UInt8]: Int] = [:]
        var groups: [(source: String, findings: [Finding])] = []
        for source in order where places[Array(source.utf8)] == nil {
            places[Array(source.utf8)] = groups.count
            groups.append((source, []))
        }
        for finding in findings {
            guard let place = places[Array(finding.source.utf8)] else { continue }
            groups[place].findings.append(finding)
        }
        return groups
    }
}
