package import CredentialReports
package import Credentials

/// The counts of a number of lines of a batch.
package struct BatchTally: LineTally, Equatable {
    /// The number of lines.
    package private(set) var lines = 0
    /// The number of lines that did not verify, by reason.
    package private(set) var reasons: [ReasonCode: Int] = [:]
    /// By the first line that did not verify.
    package private(set) var outcome = RunOutcome()
    /// What the verdicts on the lines that verified do not mean.
    package private(set) var notes = PassNotes()

    package init() {}

    package init(lines: Int, reasons: [ReasonCode: Int], outcome: RunOutcome, notes: PassNotes) {
        self.notes = notes
        self.lines = lines
        self.reasons = reasons
        self.outcome = outcome
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
        outcome.add(reason)
    }

    /// Adds the counts of the lines that follow.
    package mutating func add(_ next: BatchTally) {
        lines += next.lines
        notes.add(next.notes)
        for (reason, count) in next.reasons { reasons[reason, default: 0] += count }
        outcome.add(next.outcome.reason)
    }
}
