import Bytes
import CredentialReports
import Credentials
import Glibc
import SMARTHealthCards

/// Progress and summary of a run, on standard error.
struct BatchSummary {
    private let begin = ContinuousClock.now
    /// The number of lines of earlier runs. They do not count for the speed.
    private let earlier: Int
    private var shown = ContinuousClock.now
    private var isShown = false
    /// If both streams went to one terminal, progress would stand between the verdicts.
    private let showsProgress = isatty(STDERR_FILENO) == 1 && isatty(STDOUT_FILENO) != 1

    init(earlier: Int) {
        self.earlier = earlier
    }

    /// Shows the progress, at most four times a second.
    mutating func progress(_ tally: BatchTally) {
        let now = ContinuousClock.now
        guard showsProgress, now - shown > .milliseconds(250) else { return }
        shown = now
        isShown = true
        StandardStreams.warn(raw: "\r\(tally.lines) lines, \(rate(tally)) cards/s\u{1B}[K")
    }

    /// Removes the progress, so that another message can be printed.
    func endProgress() {
        if isShown { StandardStreams.warn(raw: "\r\u{1B}[K") }
    }

    /// Prints the totals, then what they do not mean, then a line for each reason, the most frequent one first.
    func finish(_ tally: BatchTally) {
        let reasons = ReasonCode.allCases.compactMap { reason in tally.reasons[reason].map { (reason, $0) } }
        let notes = [
            (tally.notes.uncheckedIssuers, "the issuer was not checked"),
            (tally.notes.openRevocations, "revocation was not checked"),
        ].filter { $0.0 > 0 }
        finish(
            tally, words: { "\($0) verified, \($1) not" },
            details: notes.map { "\($0) of the verified: \($1)" }
                + reasons.sorted { $0.1 > $1.1 }.map { "\($1) \($0.rawValue)" })
    }

    /// Prints the totals, then the details, a line for each.
    ///
    /// - Parameter words: what the numbers of lines that passed and of those that failed are called.
    func finish(_ tally: BatchTally, words: (Int, Int) -> String, details: [String]) {
        endProgress()
        let counts = words(tally.verified, tally.lines - tally.verified)
        StandardStreams.warn(
            "shcverify: \(tally.lines.counted("line")): \(counts); \(seconds) s, \(rate(tally)) cards/s"
        )
        for detail in details { StandardStreams.warn("shcverify: \(detail)") }
    }

    private var elapsed: Double {
        let (seconds, attoseconds) = (ContinuousClock.now - begin).components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    private var seconds: String {
        let milliseconds = Int((elapsed * 1000).rounded())
        let fraction = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }

    private func rate(_ tally: BatchTally) -> Int {
        Int((Double(tally.lines - earlier) / max(elapsed, 0.001)).rounded())
    }
}

/// The counts of a number of lines.
struct BatchTally: Sendable, Equatable {
    /// The number of lines.
    private(set) var lines = 0
    /// The number of lines that did not verify, by reason.
    private(set) var reasons: [ReasonCode: Int] = [:]
    /// The exit code of the first line that did not verify; 0 if all lines did.
    private(set) var exitCode: Int32 = 0
    /// What the verdicts on the lines that verified do not mean.
    private(set) var notes = PassNotes()

    init() {}

    init(lines: Int, reasons: [ReasonCode: Int], exitCode: Int32, notes: PassNotes) {
        self.notes = notes
        self.lines = lines
        self.reasons = reasons
        self.exitCode = exitCode
    }

    /// The number of lines that verified.
    var verified: Int { lines - reasons.values.reduce(0, +) }

    /// Counts the next line.
    ///
    /// - Parameters:
    ///   - reason: why the line did not verify; nil if it did.
    ///   - notes: what a verdict that it verified does not mean.
    mutating func add(_ reason: ReasonCode?, _ notes: PassNotes = PassNotes()) {
        lines += 1
        self.notes.add(notes)
        guard let reason else { return }
        reasons[reason, default: 0] += 1
        if exitCode == 0 { exitCode = reason.exitCode }
    }

    /// Adds the counts of the lines that follow.
    mutating func add(_ next: BatchTally) {
        lines += next.lines
        notes.add(next.notes)
        for (reason, count) in next.reasons { reasons[reason, default: 0] += count }
        if exitCode == 0 { exitCode = next.exitCode }
    }
}
