import ArgumentParser
import Credentials
import Dispatch
import Glibc
import HTTPSFetch
import IssuerNetwork
import LocalFiles
import SMARTHealthCards
import SystemPackage

/// Works on the lines of one block after the other, on one thread.
protocol BlockWorker: AnyObject {
    /// Works on the lines of a block. It stops when each line is done, when lines need evidence, or when there is so much output that
    /// it must be written first.
    ///
    /// - Returns: the evidence that the lines need.
    func advance(_ block: inout BatchBlock, with known: Evidence) -> [EvidenceRequest]
}

/// Works through the lines of one input, with the threads that read, verify and write.
struct BatchRun: Sendable {
    let scheduler: BatchScheduler
    let input: BatchInput
    /// Makes the worker of a thread; nil if there is not enough memory.
    let worker: @Sendable () -> (any BlockWorker)?
    /// The number of threads that verify.
    let jobs: Int
    /// Which verdicts set the exit code.
    var failsOn = BatchFailure.any
    /// Prints the summary.
    var summarize: @Sendable (BatchTally, BatchSummary) -> Void = { $1.finish($0) }
    /// The path of the state file; nil if no state is kept.
    let statePath: String?

    /// Why the writer ended.
    private enum Ending {
        case finished
        /// Standard output was closed. The verdicts from this line on were not written.
        case readerGone(fromLine: Int)
        case failed(String)
    }

    /// Verifies the lines of the input.
    ///
    /// - Parameters:
    ///   - reader: the input, at the place in the state, or at its beginning.
    ///   - firstLine: the number of the first line to verify.
    ///   - state: how far earlier runs came.
    /// - Returns: the exit code.
    func run(_ reader: BatchReader, from firstLine: Int, state: BatchState) async throws -> Int32 {
        let signals = BatchSignals()
        let sources = signals.watch { scheduler.interrupt() }
        defer { for source in sources { source.cancel() } }
        let output = BatchOutput()
        output.goToEnd()
        var state = state
        state.output = output.mark
        if let problem = save(state) { return fail(problem) }

        let (ending, end, summary) = await withCheckedContinuation { continuation in
            start("writer") { [state] in continuation.resume(returning: write(to: output, from: state)) }
            start("reader") { read(reader, from: firstLine) }
            for _ in 0..<jobs { start("verifier") { verify() } }
        }
        let problem = save(end)
        if case .readerGone(let line) = ending {
            summary.endProgress()
            return fail(
                problem
                    ?? "standard output was closed; the verdicts from line \(line) on were not written"
            )
        }
        summarize(end.tally, summary)
        if case .failed(let problem) = ending { return fail(problem) }
        if let problem { return fail(problem) }
        if let fault = scheduler.fault { return fail(fault.message) }
        if let signal = signals.signal, scheduler.isCut { return 128 + signal }
        return conclude(end.tally, firstLine: firstLine)
    }

    /// The exit code after the end of the input.
    private func conclude(_ tally: BatchTally, firstLine: Int) -> Int32 {
        let exitCode = failsOn.exitCode(of: tally)
        if let failure = scheduler.readFailure {
            StandardStreams.warn("\(input.source): unreadable-input: cannot be read: \(failure.message)")
            return exitCode == 0 ? ReasonCode.unreadableInput.exitCode : exitCode
        }
        guard tally.lines == 0 else { return exitCode }
        let found = firstLine > 1 ? "there is no line \(firstLine)" : "the input is empty"
        StandardStreams.warn("\(input.source): empty-input: no health card here: \(found)")
        return ReasonCode.emptyInput.exitCode
    }

    private func fail(_ problem: String) -> Int32 {
        StandardStreams.warn("shcverify: \(problem)")
        return CommandExit.internalError.rawValue
    }

    // MARK: Threads

    /// Starts a thread of its own. Each thread may have to wait: for input, for the other threads, or for the reader of
    /// the output.
    private func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
        DispatchQueue(label: name).async(execute: body)
    }

    private func read(_ reader: BatchReader, from firstLine: Int) {
        var reader = reader
        do throws(InputReader.Failure) {
            try reader.skip(to: firstLine)
            while let block = try reader.next() {
                guard scheduler.add(block, afterPause: reader.hadToWait) else { break }
            }
            scheduler.endInput(nil)
        } catch {
            scheduler.endInput(error)
        }
    }

    private func verify() {
        guard let worker = worker() else { exit(fail("there is not enough memory to verify cards")) }
        while var job = scheduler.job() {
            let requests = worker.advance(&job.block, with: job.evidence)
            scheduler.finish(job, requests: requests)
        }
    }

    private func write(to output: BatchOutput, from state: BatchState) -> (Ending, BatchState, BatchSummary) {
        var state = state
        var summary = BatchSummary(earlier: state.tally.lines)
        var saved = ContinuousClock.now
        while let part = scheduler.part() {
            do throws(Errno) {
                try output.write(part.output)
            } catch .brokenPipe {
                return (.readerGone(fromLine: state.place.line), state, summary)
            } catch {
                return (.failed("cannot write to standard output: \(error)"), state, summary)
            }
            state.place = part.place
            state.tally.add(part.tally)
            summary.progress(state.tally)
            guard statePath != nil else { continue }
            state.output = output.mark
            if let sum = part.sum { state.inputSum = sum }
            let now = ContinuousClock.now
            guard now - saved > .seconds(1) else { continue }
            if let problem = save(state) { return (.failed(problem), state, summary) }
            saved = now
        }
        return (.finished, state, summary)
    }

    /// Writes the state, if one is kept.
    ///
    /// - Returns: what went wrong; nil if nothing did.
    private func save(_ state: BatchState) -> String? {
        guard let statePath else { return nil }
        do throws(BatchState.Failure) {
            // The output must be on the disk before a state that counts on it.
            try BatchOutput().sync()
            try state.write(to: statePath)
            return nil
        } catch {
            return "--resume \(statePath): cannot be written: \(error.message)"
        }
    }
}
