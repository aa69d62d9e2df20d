import ArgumentParser
import Dispatch
import Glibc
import IssuerNetwork
import SMARTHealthCards
import SystemPackage

/// A run over the lines of one input: the threads, and what passes between them.
struct BatchRun: Sendable {
    let scheduler: BatchScheduler
    let input: BatchInput
    let policy: VerificationPolicy
    let form: BatchVerifier.Form
    /// What the threads share to confirm signatures faster; nil if all are asked of EVP.
    let precomputation: Precomputation?
    /// How many threads verify.
    let jobs: Int
    /// The moment for which cards are verified.
    let clock: @Sendable () -> NumericDate
    /// Where the state is kept; nil for nowhere.
    let statePath: String?

    /// How the writing ended.
    private enum Ending {
        case finished
        /// Nobody reads the verdicts from this line on.
        case readerGone(fromLine: Int)
        case failed(String)
    }

    /// Verifies what a reader reads.
    ///
    /// - Parameters:
    ///   - reader: the input, from the place that the state names, or from its beginning.
    ///   - firstLine: the first line that is wanted.
    ///   - state: how far earlier runs had come.
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

        let (ending, last, summary) = await withCheckedContinuation { continuation in
            start("writer") { [state] in continuation.resume(returning: write(to: output, from: state)) }
            start("reader") { read(reader, from: firstLine) }
            for _ in 0..<jobs { start("verifier") { verify() } }
        }
        let problem = save(last)
        if case .readerGone(let line) = ending {
            summary.endProgress()
            return fail(
                problem
                    ?? "the reader of standard output has gone away; the verdicts from line \(line) on were not written"
            )
        }
        summary.finish(last.tally)
        if case .failed(let problem) = ending { return fail(problem) }
        if let problem { return fail(problem) }
        if let fault = scheduler.fault { return fail(fault.message) }
        if let signal = signals.signal, scheduler.isCut { return 128 + signal }
        return conclude(last.tally, firstLine: firstLine)
    }

    /// The exit code of a run that has come to the end of its input.
    private func conclude(_ tally: BatchTally, firstLine: Int) -> Int32 {
        if let failure = scheduler.readFailure {
            StandardStreams.warn("\(form.source): unreadable-input: cannot be read: \(failure.message)")
            return tally.exitCode == 0 ? ReasonCode.unreadableInput.exitCode : tally.exitCode
        }
        guard tally.lines == 0 else { return tally.exitCode }
        let found = firstLine > 1 ? "there is no line \(firstLine)" : "the input is empty"
        StandardStreams.warn("\(form.source): malformed-input: no health card here: \(found)")
        return ReasonCode.malformedInput.exitCode
    }

    private func fail(_ problem: String) -> Int32 {
        StandardStreams.warn("shcverify: \(problem)")
        return CommandExit.internalError.rawValue
    }

    // MARK: Threads

    /// Threads of their own: all of them may have to wait, for input, for one another, or for who reads the output.
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
        guard
            let verifier = try? BatchVerifier(
                policy: policy, precomputation: precomputation, form: form, clock: clock)
        else {
            exit(fail("there is no memory to verify cards with"))
        }
        while var job = scheduler.job() {
            let requests = verifier.advance(&job.block, with: job.evidence)
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
            let now = ContinuousClock.now
            guard now - saved > .seconds(1) else { continue }
            if let problem = save(state) { return (.failed(problem), state, summary) }
            saved = now
        }
        return (.finished, state, summary)
    }

    /// Writes the state, where one is kept.
    ///
    /// - Returns: what is wrong; nil if nothing is.
    private func save(_ state: BatchState) -> String? {
        guard let statePath else { return nil }
        var state = state
        state.inputDigest = input.digest(before: state.place.offset)
        do throws(BatchState.Failure) {
            // The state must not say of lines that they were written while a power failure could still take them.
            try BatchOutput().sync()
            try state.write(to: statePath)
            return nil
        } catch {
            return "--resume \(statePath): cannot be written: \(error.message)"
        }
    }
}
