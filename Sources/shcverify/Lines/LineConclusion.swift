import ArgumentParser
import Bulk
import Credentials
import Glibc
import LocalFiles

extension LineResult {
    /// The exit code of a run, after a line on standard error that says why it ended.
    ///
    /// - Parameters:
    ///   - source: the name of the input.
    ///   - firstLine: the number of the first line.
    ///   - exitCode: the exit code of the results.
    ///   - signal: the signal that interrupted the run; nil if none did.
    func exitCode(of source: String, from firstLine: Int = 1, results exitCode: Int32, signal: Int32?) -> Int32 {
        switch ending {
        case .readerGone(let problem), .unable(let problem), .failed(let problem):
            StandardStreams.warn("shcverify: \(problem)")
            return CommandExit.internalError.rawValue
        case .interrupted: return 128 + (signal ?? SIGINT)
        case .finished(let failure?):
            StandardStreams.warn("\(source): unreadable-input: cannot be read: \(failure.message)")
            return exitCode == 0 ? ReasonCode.unreadableInput.exitCode : exitCode
        case .finished(nil): break
        }
        guard tally.lines == 0 else { return exitCode }
        let found = firstLine > 1 ? "there is no line \(firstLine)" : "the input is empty"
        StandardStreams.warn("\(source): empty-input: no health card here: \(found)")
        return ReasonCode.emptyInput.exitCode
    }

    /// Whether the totals are worth a summary. Nobody reads on if standard output was closed.
    var hasSummary: Bool {
        switch ending {
        case .readerGone, .unable: false
        case .finished, .interrupted, .failed: true
        }
    }
}
