import SMARTHealthCards

/// What came of a number of lines.
struct BatchTally: Sendable, Equatable {
    /// How many lines there were.
    private(set) var lines = 0
    /// How many did not verify, by the reason.
    private(set) var reasons: [ReasonCode: Int] = [:]
    /// The exit code of the first that did not verify; 0 where all did.
    private(set) var exitCode: Int32 = 0

    init() {}

    init(lines: Int, reasons: [ReasonCode: Int], exitCode: Int32) {
        self.lines = lines
        self.reasons = reasons
        self.exitCode = exitCode
    }

    /// How many verified.
    var verified: Int { lines - reasons.values.reduce(0, +) }

    /// Counts the next line.
    ///
    /// - Parameter reason: why it did not verify; nil if it did.
    mutating func add(_ reason: ReasonCode?) {
        lines += 1
        guard let reason else { return }
        reasons[reason, default: 0] += 1
        if exitCode == 0 { exitCode = reason.exitCode }
    }

    /// Counts the lines that follow.
    mutating func add(_ next: BatchTally) {
        lines += next.lines
        for (reason, count) in next.reasons { reasons[reason, default: 0] += count }
        if exitCode == 0 { exitCode = next.exitCode }
    }
}
