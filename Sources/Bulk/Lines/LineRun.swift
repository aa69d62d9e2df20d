import Dispatch
import Evidence
import HTTPSFetch
package import Processes
import Synchronization
import SystemPackage

/// Works through the lines of one input, with the threads that read, work and write.
///
/// It is generic, so only what is compiled together with it calls it: `BatchRun` and `LineLintRun`.
final class LineRun<Worker: LineWorker>: Sendable {
    private let scheduler: LineScheduler<Worker>
    private let output: LineOutput
    /// The number of threads that work on lines.
    private let jobs: Int
    private let progress: @Sendable (Worker.Tally) -> Void
    private let worker: @Sendable () -> Worker?
    /// Whether a thread could not get a worker.
    private let lacksMemory = Atomic(false)

    /// - Parameters:
    ///   - store: what issuers publish.
    ///   - jobs: the number of threads that work on lines.
    ///   - output: where the results go.
    ///   - progress: is told of the counts so far, each time that results were written.
    ///   - worker: makes the worker of a thread; nil if there is not enough memory.
    init(
        store: EvidenceStore, jobs: Int, output: LineOutput = LineOutput(),
        progress: @escaping @Sendable (Worker.Tally) -> Void, worker: @escaping @Sendable () -> Worker?
    ) {
        scheduler = LineScheduler(store: store, jobs: jobs)
        self.output = output
        self.jobs = jobs
        self.progress = progress
        self.worker = worker
    }

    /// Why the writer ended.
    private enum Writing {
        case finished
        /// Standard output was closed. The results from this line on were not written.
        case readerGone(fromLine: Int)
        case failed(String)
    }

    /// Stops the start of further lines.
    func interrupt() { scheduler.interrupt() }

    /// Works through the lines of the input.
    ///
    /// - Parameters:
    ///   - reader: the input, at the position at which the journal stops, or at its beginning.
    ///   - firstLine: the number of the first line to work on.
    ///   - earlier: the counts of earlier runs that this one continues.
    ///   - journal: keeps how far the run came; nil if nothing does.
    func run(
        _ reader: LineReader, from firstLine: Int = 1, after earlier: Worker.Tally = Worker.Tally(),
        journal: (any LineJournal<Worker.Tally>)? = nil
    ) async -> LineResult<Worker.Tally> {
        output.goToEnd()
        var journal = journal
        journal?.begin(output: output.mark)
        if let problem = journal?.save(after: output) { return LineResult(tally: earlier, ending: .unable(problem)) }

        let (writing, tally, end) = await withCheckedContinuation { continuation in
            start("writer") { [journal] in
                continuation.resume(returning: self.write(from: firstLine, after: earlier, journal: journal))
            }
            start("reader") { self.read(reader, from: firstLine) }
            for _ in 0..<jobs { start("worker") { self.work() } }
        }
        let problem = end?.save(after: output)
        return LineResult(tally: tally, ending: ending(writing, problem: problem))
    }

    private func ending(_ writing: Writing, problem: String?) -> LineResult<Worker.Tally>.Ending {
        switch writing {
        case .readerGone(let line):
            return .readerGone(
                problem ?? "standard output was closed; the verdicts from line \(line) on were not written")
        case .failed(let problem): return .failed(problem)
        case .finished: break
        }
        if let problem { return .failed(problem) }
        if lacksMemory.load(ordering: .acquiring) { return .unable("there is not enough memory to verify cards") }
        if let fault = scheduler.fault { return .failed(fault.message) }
        guard !scheduler.isCut else { return .interrupted }
        return .finished(scheduler.readFailure)
    }

    // MARK: Threads

    /// Starts a thread of its own. Each thread may have to wait: for input, for the other threads, or for the reader of
    /// the output.
    private func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
        DispatchQueue(label: name).async(execute: body)
    }

    private func read(_ reader: LineReader, from firstLine: Int) {
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

    private func work() {
        guard let worker = worker() else {
            lacksMemory.store(true, ordering: .releasing)
            return interrupt()
        }
        while var job = scheduler.job() {
            do throws(InstallationFault) {
                let requests = try worker.advance(&job.work, with: job.evidence)
                scheduler.finish(job, requests: requests)
            } catch {
                scheduler.fail(job, because: error)
            }
        }
    }

    /// Writes the results in the order of the lines.
    ///
    /// - Returns: why it ended, the counts of all lines whose results were written, and the journal of them.
    private func write(
        from firstLine: Int, after earlier: Worker.Tally, journal: (any LineJournal<Worker.Tally>)?
    ) -> (Writing, Worker.Tally, (any LineJournal<Worker.Tally>)?) {
        var journal = journal
        var tally = earlier
        var line = firstLine
        var saved = ContinuousClock.now
        while let part = scheduler.part() {
            do throws(Errno) {
                try output.write(part.output)
            } catch .brokenPipe {
                return (.readerGone(fromLine: line), tally, journal)
            } catch {
                return (.failed("cannot write to standard output: \(error)"), tally, journal)
            }
            line = part.position.line
            tally.add(part.tally)
            progress(tally)
            guard journal != nil else { continue }
            journal?.record(tally, position: part.position, sum: part.sum, output: output.mark)
            let now = ContinuousClock.now
            guard now - saved > .seconds(1) else { continue }
            if let problem = journal?.save(after: output) { return (.failed(problem), tally, journal) }
            saved = now
        }
        return (.finished, tally, journal)
    }
}

/// Keeps how far a run came, so that a later one can continue it.
protocol LineJournal<Tally>: Sendable {
    associatedtype Tally: LineTally

    /// Notes the end of the output before the first result; nil if the output is not a file.
    mutating func begin(output: LineOutput.Mark?)

    /// Notes that the results of more lines were written.
    ///
    /// - Parameters:
    ///   - tally: the counts of all lines so far.
    ///   - position: the position after these lines.
    ///   - sum: the sum of the input before that position; nil if none is kept.
    ///   - output: the end of the output; nil if it is not a file.
    mutating func record(_ tally: Tally, position: LinePosition, sum: InputSum?, output: LineOutput.Mark?)

    /// Makes the notes permanent.
    ///
    /// - Parameter output: where the results went. They must be on the disk first.
    /// - Returns: what went wrong; nil if nothing did.
    func save(after output: LineOutput) -> String?
}

/// The counts of a run over lines, and how it ended.
package struct LineResult<Tally: LineTally>: Sendable {
    /// How a run ended. The words are for standard error.
    package enum Ending: Sendable {
        /// Each line has its result. The input may have ended because it could not be read further.
        case finished(InputReader.Failure?)
        /// It was interrupted, and lines were left without a result.
        case interrupted
        /// Standard output was closed before all results were written.
        case readerGone(String)
        /// The run could not begin, or a thread could not.
        case unable(String)
        /// Something went wrong with the run itself.
        case failed(String)
    }

    package let tally: Tally
    package let ending: Ending
}
