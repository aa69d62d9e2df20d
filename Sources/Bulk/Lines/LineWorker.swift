import Credentials
import Evidence
import HTTPSFetch

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
