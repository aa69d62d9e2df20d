extension LintOutcome {
    /// Stands in for the executable's own, whose constants are the command line parser's.
    var exitCode: Int32 { findings.contains(where: fails) ? 10 : 0 }
}
