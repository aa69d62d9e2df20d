import Bulk
import CredentialReports
import Credentials
import Encodings
import Glibc
import Synchronization

/// Progress and summary of a run over lines, on standard error.
final class LineProgress: Sendable {
    private struct Shown {
        var time = ContinuousClock.now
        var isShown = false
    }

    private let begin = ContinuousClock.now
    /// The number of lines of earlier runs. They do not count for the speed.
    private let earlier: Int
    /// What is counted, in the singular.
    private let counted: String
    /// What the rate counts, in the plural.
    private let unit: String
    private let shown = Mutex(Shown())
    /// If both streams went to one terminal, progress would stand between the results.
    private let showsProgress = isatty(STDERR_FILENO) == 1 && isatty(STDOUT_FILENO) != 1

    init(earlier: Int = 0, counted: String = "line", unit: String) {
        self.earlier = earlier
        self.counted = counted
        self.unit = unit
    }

    /// Shows the progress, at most four times a second.
    func show(_ tally: some LineTally) {
        guard showsProgress else { return }
        let isDue = shown.withLock { shown in
            let now = ContinuousClock.now
            guard now - shown.time > .milliseconds(250) else { return false }
            shown = Shown(time: now, isShown: true)
            return true
        }
        if isDue { StandardStreams.warn(raw: "\r\(tally.lines) \(counted)s, \(rate(tally))\u{1B}[K") }
    }

    /// Removes the progress, so that another message can be printed.
    func end() {
        if shown.withLock({ $0.isShown }) { StandardStreams.warn(raw: "\r\u{1B}[K") }
    }

    /// Prints the totals, then the details, a line for each.
    ///
    /// - Parameters:
    ///   - counts: what became of the lines, in words.
    ///   - details: more lines.
    func finish(_ tally: some LineTally, counts: String, details: [String]) {
        end()
        StandardStreams.warn(
            "shcverify: \(tally.lines.counted(counted)): \(counts); \(seconds) s, \(rate(tally))"
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

    private func rate(_ tally: some LineTally) -> String {
        "\(Int((Double(tally.lines - earlier) / max(elapsed, 0.001)).rounded())) \(unit)/s"
    }
}

extension LineProgress {
    /// Prints the totals of a batch, then what they do not mean, then a line for each reason, the most frequent one first.
    func finish(_ tally: BatchTally) {
        let reasons = ReasonCode.allCases.compactMap { reason in tally.reasons[reason].map { (reason, $0) } }
        let notes = [
            (tally.notes.uncheckedIssuers, "the issuer was not checked"),
            (tally.notes.openRevocations, "revocation was not checked"),
            (tally.notes.testSigners, "the signer is only on a list for tests"),
        ].filter { $0.0 > 0 }
        finish(
            tally, counts: "\(tally.verified) verified, \(tally.lines - tally.verified) not",
            details: notes.map { "\($0) of the verified: \($1)" }
                + reasons.sorted { $0.1 > $1.1 }.map { "\($1) \($0.rawValue)" })
    }

    /// Prints the totals of a lint, then a line for each rule, the most frequent one first.
    func finish(_ tally: LineLintTally) {
        finish(
            tally,
            counts: "\(tally.lines - tally.failed) passed, \(tally.failed) failed",
            details: tally.ruleCounts
                + (tally.known > 0 ? ["\(tally.known) known findings left out (--baseline)"] : []))
    }
}
