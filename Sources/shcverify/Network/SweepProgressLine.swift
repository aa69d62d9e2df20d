import Evidence
import Glibc

/// A line on standard error that says how many issuers have answered. It is only shown on a terminal.
struct SweepProgressLine: SweepProgress {
    private let count: Int
    private var done = 0
    private let isShown = isatty(STDERR_FILENO) == 1

    init(count: Int) { self.count = count }

    mutating func advance() {
        done += 1
        guard isShown else { return }
        StandardStreams.warn(raw: "\r\(done) of \(count) issuers\u{1B}[K")
    }

    /// Removes the line, so that something else can be printed.
    func end() {
        if isShown { StandardStreams.warn(raw: "\r\u{1B}[K") }
    }
}
