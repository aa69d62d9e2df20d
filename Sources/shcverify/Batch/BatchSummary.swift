import Glibc
import SMARTHealthCards

/// What is said on standard error of how a run goes, and what came of it.
struct BatchSummary {
    private let begin = ContinuousClock.now
    /// The lines that earlier runs had done, which say nothing of how fast this one is.
    private let earlier: Int
    private var shown = ContinuousClock.now
    private var isShown = false
    /// Progress would stand between the verdicts where both go to one terminal.
    private let showsProgress = isatty(STDERR_FILENO) == 1 && isatty(STDOUT_FILENO) != 1

    init(earlier: Int) {
        self.earlier = earlier
    }

    /// Shows how far it has come, a few times a second.
    mutating func progress(_ tally: BatchTally) {
        let now = ContinuousClock.now
        guard showsProgress, now - shown > .milliseconds(250) else { return }
        shown = now
        isShown = true
        StandardStreams.warn(raw: "\r\(tally.lines) lines, \(rate(tally)) cards/s\u{1B}[K")
    }

    /// Takes the progress away, so that something else can be said.
    func endProgress() {
        if isShown { StandardStreams.warn(raw: "\r\u{1B}[K") }
    }

    /// Says what came of the run: first of all cards, then a line for each reason, the most frequent first.
    func finish(_ tally: BatchTally) {
        endProgress()
        let failed = tally.lines - tally.verified
        StandardStreams.warn(
            "shcverify: \(tally.lines) lines: \(tally.verified) verified, \(failed) not; \(seconds) s, \(rate(tally)) cards/s"
        )
        let reasons = ReasonCode.allCases.compactMap { reason in tally.reasons[reason].map { (reason, $0) } }
        for (reason, count) in reasons.sorted(by: { $0.1 > $1.1 }) {
            StandardStreams.warn("shcverify: \(count) \(reason.rawValue)")
        }
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
