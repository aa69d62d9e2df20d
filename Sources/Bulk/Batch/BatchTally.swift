package import CredentialReports
package import Credentials

/// The counts of a number of lines of a batch.
package struct BatchTally: LineTally, Equatable {
    /// The number of lines.
    package private(set) var lines = 0
    /// The number of lines that did not verify, by reason.
    package private(set) var reasons: [ReasonCode: Int] = [:]
    /// The exit code of the first line that did not verify; 0 if all lines did.
    package private(set) var exitCode: Int32 = 0
    /// What the verdicts on the lines that verified do not mean.
    package private(set) var notes = PassNotes()

    package init() {}

    package init(lines: Int, reasons: [ReasonCode: Int], exitCode: Int32, notes: PassNotes) {
        self.notes = notes
        self.lines = lines
        self.reasons = reasons
        self.exitCode = exitCode
    }

    package let weight = 0

    /// The number of lines that verified.
    package var verified: Int { lines - reasons.values.reduce(0, +) }

    /// Counts the next line.
    ///
    /// - Parameters:
    ///   - reason: why the line did not verify; nil if it did.
    ///   - notes: what a verdict that it verified does not mean.
    package mutating func add(_ reason: ReasonCode?, _ notes: PassNotes = PassNotes()) {
        lines += 1
        self.notes.add(notes)
        guard let reason else { return }
        reasons[reason, default: 0] += 1
        if exitCode == 0 { exitCode = reason.exitCode }
    }

    /// Adds the counts of the lines that follow.
    package mutating func add(_ next: BatchTally) {
        lines += next.lines
        notes.add(next.notes)
        for (reason, count) in next.reasons { reasons[reason, default: 0] += count }
        if exitCode == 0 { exitCode = next.exitCode }
    }
}
