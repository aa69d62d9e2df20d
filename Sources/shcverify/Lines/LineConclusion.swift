import Bulk
import Credentials
import Glibc
import Processes

extension LineResult {
    /// How a run ended, after a line on standard error that says why.
    ///
    /// - Parameters:
    ///   - source: the name of the input.
    ///   - firstLine: the number of the first line.
    ///   - results: what the results say.
    ///   - signal: the signal that interrupted the run; nil if none did.
    func outcome(
        of source: String, from firstLine: Int = 1, results: RunOutcome, signal: Int32?
    ) -> RunOutcome {
        switch ending {
        case .readerGone(let problem), .unable(let problem), .failed(let problem):
            StandardStreams.warn("shcverify: \(problem)")
            return RunOutcome(.internalError)
        case .interrupted: return RunOutcome(.signal(signal ?? SIGINT))
        case .finished(let failure?):
            StandardStreams.warn("\(source): unreadable-input: cannot be read: \(failure.message)")
            return RunOutcome(results.reason ?? .unreadable)
        case .finished(nil): break
        }
        guard tally.lines == 0 else { return results }
        let found = firstLine > 1 ? "there is no line \(firstLine)" : "the input is empty"
        StandardStreams.warn("\(source): empty-input: no health card here: \(found)")
        return RunOutcome(.given(.emptyInput))
    }

    /// Whether the totals are worth a summary. Nobody reads on if standard output was closed.
    var hasSummary: Bool {
        switch ending {
        case .readerGone, .unable: false
        case .finished, .interrupted, .failed: true
        }
    }
}
