import CProcess
import CredentialReports
import Credentials
import Dispatch
import Encodings
import Evidence
import Glibc
import HTTPSFetch
import Inputs
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
                problem ?? "standard output was closed; the results from line \(line) on were not written")
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

/// A line that is a JSON object, such as `{"card": TEXT, "id": any value}`. Other members are ignored.
struct LineObject {
    let json: JSONValue

    /// - Throws: if the bytes hold no acceptable JSON value.
    init(_ bytes: [UInt8]) throws(DeepLink.Defect) { json = try DeepLink.parsed(bytes).get() }

    /// The sender's ID of the line; nil if it has none.
    var id: LineID? { json["id"].map { LineID($0) } }

    /// The value of the member "card"; nil if there is none.
    var card: JSONValue? { json["card"] }

    /// What the object is, besides a line with a card, in words that follow "but": one of the forms in which `verify` reads cards, another
    /// credential, or something that is named like cards in any place. Nobody could tell which of the cards a verdict on the line is
    /// about. Nil if it is nothing else.
    var otherContent: String? {
        guard card != nil else { return nil }
        switch InputForm(json) {
        case .file?, .parameters?: return "is a file of cards too, which \"shcverify verify\" reads"
        case .checkIn?: return "is a SMART Health Check-in too, which \"shcverify verify\" reads"
        default:
            if let other = OtherCredential(json) { return "is \(other.words) too" }
            return CardParameters.namesCards(json) ? "has \"verifiableCredential\" in another place too" : nil
        }
    }
}

/// What a run does with the lines of one block after the other, on one thread.
///
/// The scheduler, the run and the block of work are generic over it, and know nothing of cards or findings.
protocol LineWorker: AnyObject, SendableMetatype {
    /// A line that was started, and whose result cannot be written yet.
    associatedtype Pending: PendingLine
    /// The counts of lines.
    associatedtype Tally: LineTally

    /// Works on the lines of a block. It stops when each line is done, when lines need evidence, or when there is so much output that
    /// it must be written first.
    ///
    /// - Returns: the evidence that the lines need.
    /// - Throws: `InstallationFault` if the installation cannot do the work. The run ends before the line.
    func advance(_ work: inout BlockWork<Self>, with known: EvidenceAnswers) throws(InstallationFault)
        -> [EvidenceRequest]
}

/// A line that was started, and whose result cannot be written yet: it waits for evidence, or comes after one that does.
protocol PendingLine: Sendable {
    /// The memory that it takes in bytes, estimated.
    var weight: Int { get }
}

/// For a worker that begins a line again when it has the evidence.
extension Never: PendingLine {
    var weight: Int { switch self {} }
}

/// The counts of a number of lines.
package protocol LineTally: Sendable {
    init()

    /// The number of lines.
    var lines: Int { get }
    /// The memory in bytes that is taken beside the counts, estimated.
    var weight: Int { get }

    /// Adds the counts of the lines that follow.
    mutating func add(_ next: Self)
}

/// A block, and the results of its lines so far. Threads hand it to one another.
struct BlockWork<Worker: LineWorker>: Sendable {
    let block: LineBlock
    /// How many lines have been started.
    var taken = 0
    /// The lines that were started last, from the first one that has to wait.
    var pending: [Worker.Pending] = []
    /// Answers for this block only. They say that no further issuer is asked.
    var refusals = EvidenceAnswers()
    /// The answers that this block's waiting lines caused. They apply to these lines even if they are no longer fresh.
    /// Otherwise a line would wait for ever if its issuer's answers may not be kept.
    var answers = EvidenceAnswers()
    /// The results that have not been written yet.
    var output: [UInt8] = []
    /// The counts of the lines whose results have not been written yet.
    var tally = Worker.Tally()

    /// Asks for the evidence that lines need.
    var caller: EvidenceStore.Caller

    init(_ block: LineBlock, by caller: EvidenceStore.Caller) {
        self.block = block
        self.caller = caller
    }

    /// With this much output, it is written before more of the lines are started.
    static var maximumOutput: Int { 1 << 20 }

    /// Whether lines can be started.
    var hasRoom: Bool { taken < block.lines.count && output.count < Self.maximumOutput }

    /// Whether each line is done.
    var isDone: Bool { taken == block.lines.count && pending.isEmpty }

    /// The number of lines whose results are in the output, or were.
    private var done: Int { taken - pending.count }

    /// The position after the lines whose results are in the output.
    var position: LinePosition { block.position(after: done) }

    /// The sum of the input before `position`, of the bytes that were judged; nil if none is kept.
    var sum: InputSum? { block.sum(before: position) }

    /// The memory that the work takes, estimated.
    var weight: Int {
        pending.reduce(block.size + output.count + tally.weight + block.lines.count * 24) { $0 + $1.weight }
    }
}

/// The number of threads that work on lines.
package enum LineThreads {
    /// Dispatch has at most 255 threads. If none were left for the thread that writes, the run would hang.
    private static let maximum = 128

    /// The memory that the program needs with one such thread.
    private static let baseMemory: UInt64 = 256 << 20
    /// The address space that each further thread may take: its stack, and the arena of the C library.
    private static let threadMemory: UInt64 = 96 << 20

    /// The other threads: one reads, one writes, and some wait for issuers and signals. Measured: 6.
    private static let furtherThreads = 8

    /// The number of threads for which there must be room beside the one that runs already: one that works, and the others.
    package static let least = 1 + furtherThreads

    /// The number that was asked for, or the number of processors that this process may use, reduced to the limits of the process. This matters
    /// because Dispatch retries for ever if it cannot start a thread.
    package static func count(asked: Int?) -> Int {
        var wanted = min(asked ?? min(usableProcessors, ProcessorQuota.count ?? .max), maximum)
        wanted = min(wanted, max(1, Int(threads_room(Int32(wanted + furtherThreads))) - furtherThreads))
        let room =
            [RLIMIT_AS, RLIMIT_DATA].map { resource -> UInt64 in
                var limit = rlimit()
                // Unsafe: the call writes into the variable, and keeps no pointer to it.
                guard unsafe getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 else { return .max }
                return UInt64(limit.rlim_cur)
            }.min() ?? .max
        guard room > baseMemory else { return 1 }
        return Int(min(UInt64(wanted), 1 + (room - baseMemory) / threadMemory))
    }

    /// The number of processors that this process may use. The machine may have more.
    private static var usableProcessors: Int {
        let name = Array("Cpus_allowed:".utf8)
        guard let status = try? InputReader.read("/proc/self/status", limit: 1 << 16),
            let line = status.split(separator: UInt8(ascii: "\n")).first(where: { $0.starts(with: name) })
        else { return max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1) }
        // A bit mask in hexadecimal digits, with commas between groups.
        let digits = line.dropFirst(name.count).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        return max(digits.reduce(0) { $0 + $1.nonzeroBitCount }, 1)
    }
}

/// The processor time that control groups grant this process (cgroup v2, `cpu.max`). Containers have such a limit, and see all processors of
/// the machine nevertheless. More threads than that would only take turns.
enum ProcessorQuota {
    /// The number of processors whose time is granted, rounded up; nil if nothing limits it.
    static var count: Int? {
        guard let groups = try? InputReader.read("/proc/self/cgroup", limit: 1 << 16) else { return nil }
        return folders(of: groups).compactMap { folder in
            (try? InputReader.read("\(folder)/cpu.max", limit: 1 << 10)).flatMap(processors(grantedBy:))
        }.min()
    }

    /// The folders of the group of a process and of those around it, each of which can have a limit.
    ///
    /// - Parameter groups: what `/proc/PID/cgroup` says. The line of cgroup v2 begins with `0::`.
    static func folders(of groups: [UInt8]) -> [String] {
        let start = Array("0::/".utf8)
        guard let line = groups.split(separator: UInt8(ascii: "\n")).first(where: { $0.starts(with: start) }) else {
            return []
        }
        let names = line.dropFirst(start.count).split(separator: UInt8(ascii: "/"))
        return (0...names.count).map { depth in
            names.prefix(depth).reduce("/sys/fs/cgroup") { "\($0)/\(String(decoding: $1, as: UTF8.self))" }
        }
    }

    /// The number of processors for the text of a `cpu.max`: the microseconds that are granted in a period, or `max`, and the microseconds of
    /// the period. nil if it sets no limit, or has another form.
    static func processors(grantedBy text: [UInt8]) -> Int? {
        let numbers = String(decoding: text, as: UTF8.self).split { $0 == " " || $0 == "\n" }.map { Int($0) }
        guard numbers.count == 2, let granted = numbers[0], let period = numbers[1], granted > 0, period > 0 else {
            return nil
        }
        return granted / period + (granted % period == 0 ? 0 : 1)
    }
}
