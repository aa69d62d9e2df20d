import ArgumentParser

extension LintOutcome {
    /// The exit status: what was found goes before what could not be read.
    var exitCode: Int32 {
        if findings.contains(where: fails) { return CommandExit.malformed.rawValue }
        return unreadable.isEmpty ? 0 : CommandExit.unreadable.rawValue
    }
}
