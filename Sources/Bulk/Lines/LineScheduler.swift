import Credentials
import Dispatch
import Evidence
import HTTPSFetch
import Processes
import Synchronization

/// Distributes the work: one thread reads, some verify, one writes. The store asks issuers meanwhile.
///
/// Blocks are kept in the order of the input, from reading to writing. Their memory is limited, so a slow consumer
/// slows down the reader. If the cards of a block need evidence, the block waits, and the blocks after it go on.
final class LineScheduler<Worker: LineWorker>: Sendable {
    /// Verdicts of a block that can be written, because all verdicts before them have been.
    struct Part: Sendable {
        let output: [UInt8]
        let tally: Worker.Tally
        /// The position after these lines.
        let position: LinePosition
        /// The sum of the input before that position; nil if none is kept.
        let sum: InputSum?
    }

    private struct State {
        /// The blocks in the order of the input. The number of the first one is `first`.
        var slots: [LineSlot<Worker>] = []
        var first = 0
        var weight = 0
        var isInputOver = false
        var readFailure: InputReader.Failure?
        var isInterrupted = false
        /// The fault of the installation that interrupted the run; nil if there was none.
        var fault: InstallationFault?
        /// Whether lines were left without a verdict.
        var isCut = false
        var idle = 0
        var readerWaits = false
        var writerWaits = false
    }

    private let state = Mutex(State())
    private let store: EvidenceStore
    /// Who asks. All blocks are one, so that what the first of them needs is asked for first.
    private let caller: EvidenceStore.Caller
    private let reader = DispatchSemaphore(value: 0)
    private let workers = DispatchSemaphore(value: 0)
    private let writer = DispatchSemaphore(value: 0)

    /// The number of held bytes at which reading stops. From then on, only the block that is written next may be
    /// started.
    private let maximumWeight: Int
    /// The number of held bytes at which only reading stops. It is smaller, so that threads can still start blocks that
    /// were read.
    private let maximumReadAhead: Int
    private static var maximumBlocks: Int { 256 }

    /// - Parameters:
    ///   - store: what issuers publish.
    ///   - jobs: the number of threads that verify. Each should have a block or two queued.
    init(store: EvidenceStore, jobs: Int) {
        self.store = store
        caller = store.caller()
        maximumReadAhead = max(2 << 20, jobs * 256 << 10)
        maximumWeight = 3 * maximumReadAhead
    }

    // MARK: The reader

    /// Adds the next block. Waits until there is room.
    ///
    /// - Parameter afterPause: whether the reader had to wait for this block. If all earlier lines are written too, the
    ///   run has caught up with its input. Then it drops the answers that issuers do not allow to be kept.
    /// - Returns: false if no more blocks are wanted.
    func add(_ block: LineBlock, afterPause: Bool) -> Bool {
        while true {
            let isTaken = state.withLock { state -> Bool? in
                if afterPause, state.slots.isEmpty { store.forgetUnkept() }
                guard !state.isInterrupted else {
                    state.isCut = true
                    return false
                }
                guard state.slots.count < Self.maximumBlocks, state.weight < maximumReadAhead else {
                    state.readerWaits = true
                    return nil
                }
                let work = BlockWork<Worker>(block, by: caller)
                state.slots.append(LineSlot(work: work, weight: work.weight))
                state.weight += work.weight
                wake(&state)
                return true
            }
            if let isTaken { return isTaken }
            reader.wait()
        }
    }

    /// Marks the end of the input.
    ///
    /// - Parameter failure: why reading failed; nil if the input was read to its end.
    func endInput(_ failure: InputReader.Failure?) {
        state.withLock { state in
            state.isInputOver = true
            state.readFailure = failure
            wake(&state)
        }
    }

    /// Stops the start of further lines. The reader may still be waiting for input.
    ///
    /// Cards that wait for an issuer are left to the next run. The answer may take long. It may also be wrong:
    /// Control-C in a terminal also ends the process that fetches.
    func interrupt() {
        state.withLock { interrupt(&$0) }
    }

    private func interrupt(_ state: inout State) {
        store.close()
        state.isInterrupted = true
        if !state.isInputOver { state.isCut = true }
        if let index = state.slots.firstIndex(where: \.isWaiting) { Self.cut(&state, at: index) }
        while let last = state.slots.last, last.isReady, last.work?.taken == 0 {
            state.weight -= last.weight
            state.slots.removeLast()
            state.isCut = true
        }
        wake(&state)
    }

    /// The fault of the installation for which cards were left without a verdict; nil if there was none.
    var fault: InstallationFault? { state.withLock { $0.fault } }

    /// Drops the waiting lines of a block, and all lines after them.
    private static func cut(_ state: inout State, at index: Int) {
        state.isCut = true
        guard var work = state.slots[index].work else { return }
        // The waiting lines are the last ones that were started.
        work.taken -= work.pending.count
        work.pending = []
        state.weight -= state.slots[index...].reduce(0) { $0 + $1.weight }
        state.slots.removeSubrange(index...)
        guard work.taken > 0 else { return }
        let weight = work.weight
        state.weight += weight
        state.slots.append(LineSlot(work: work, phase: .cut, weight: weight))
    }

    /// Whether an interruption left lines without a verdict.
    var isCut: Bool { state.withLock { $0.isCut } }

    /// Why the input could not be read to its end; nil if it was.
    var readFailure: InputReader.Failure? { state.withLock { $0.readFailure } }

    // MARK: Verifying

    /// The work of a verifying thread: a block, and the evidence for it.
    struct Job {
        fileprivate let number: Int
        var work: BlockWork<Worker>
        let evidence: EvidenceAnswers
    }

    /// The next block to verify. Waits for one; nil at the end.
    func job() -> Job? {
        while true {
            let next = state.withLock { state -> Job?? in
                if let index = runnable(state), let work = state.slots[index].work {
                    state.slots[index].work = nil
                    state.slots[index].phase = .running
                    return Job(number: state.first + index, work: work, evidence: store.current)
                }
                if Self.isOver(state) { return .some(nil) }
                state.idle += 1
                wakeReader(&state)
                return nil
            }
            if let next { return next }
            workers.wait()
        }
    }

    private func runnable(_ state: State) -> Int? {
        let index = state.slots.firstIndex(where: \.isReady)
        return index == 0 || state.weight < maximumWeight ? index : nil
    }

    private static func isOver(_ state: State) -> Bool {
        state.slots.isEmpty && (state.isInputOver || state.isInterrupted)
    }

    /// Takes a block back from a thread.
    ///
    /// - Parameter requests: the evidence that the block needs before it can go on.
    func finish(_ job: consuming Job, requests: [EvidenceRequest]) {
        var work = job.work
        let number = job.number
        // Evidence that arrived meanwhile needs no request; the block gets it when it goes on.
        var asked = EvidenceStore.Asked()
        if !requests.isEmpty {
            asked = store.ask(for: requests, by: &work.caller)
            work.refusals.formUnion(asked.refused, replacing: true)
        }
        let open = asked.open
        let isTaken = state.withLock { state in
            let index = number - state.first
            // The block was dropped: an earlier one waits, and the run was interrupted.
            guard index < state.slots.count, !state.slots[index].isCut else { return false }
            let weight = work.weight
            state.weight += weight - state.slots[index].weight
            state.slots[index].weight = weight
            state.slots[index].phase =
                if !open.isEmpty {
                    .waiting
                } else if !requests.isEmpty {
                    .ready
                } else {
                    work.isDone ? .done : .full
                }
            state.slots[index].work = work
            if state.isInterrupted, !open.isEmpty { Self.cut(&state, at: index) }
            wake(&state)
            return !open.isEmpty
        }
        if isTaken { wait(for: open, in: number) }
    }

    /// Takes a block back whose next line cannot be worked on, and ends the run as an interruption does.
    func fail(_ job: consuming Job, because fault: InstallationFault) {
        let work = job.work
        let number = job.number
        state.withLock { state in
            state.fault = state.fault ?? fault
            let index = number - state.first
            if index < state.slots.count, !state.slots[index].isCut {
                state.slots[index].work = work
                Self.cut(&state, at: index)
            }
            interrupt(&state)
        }
    }

    /// Waits for the answers that a block needs. They are for its waiting lines even if they may not be kept.
    private func wait(for open: [EvidenceStore.Open], in number: Int) {
        Task {
            var answers = EvidenceAnswers()
            var fault: InstallationFault?
            do {
                try await store.answers(to: open, in: &answers)
            } catch {
                fault = error as? InstallationFault ?? InstallationFault("\(error)")
            }
            state.withLock { state in
                let index = number - state.first
                guard state.slots.indices.contains(index), state.slots[index].isWaiting else { return }
                if let fault {
                    // It ends the run as an interruption does: cards that wait for evidence get no verdict.
                    state.fault = state.fault ?? fault
                    return interrupt(&state)
                }
                state.slots[index].work?.answers.formUnion(answers, replacing: true)
                state.slots[index].phase = .ready
                wake(&state)
            }
        }
    }

    // MARK: Writing

    /// The next verdicts to write. Waits for some; nil at the end.
    func part() -> Part? {
        while true {
            let next = state.withLock { state -> Part?? in
                if let head = state.slots.first, head.isWritable, var work = head.work {
                    let part = Part(output: work.output, tally: work.tally, position: work.position, sum: work.sum)
                    if work.isDone || head.isCut {
                        state.weight -= head.weight
                        state.slots.removeFirst()
                        state.first += 1
                    } else {
                        work.output = []
                        work.tally = Worker.Tally()
                        state.weight += work.weight - head.weight
                        state.slots[0].work = work
                        state.slots[0].weight = work.weight
                        if !head.isWaiting { state.slots[0].phase = .ready }
                    }
                    wake(&state)
                    return part
                }
                if Self.isOver(state) {
                    wake(&state)
                    return .some(nil)
                }
                state.writerWaits = true
                return nil
            }
            if let next { return next }
            writer.wait()
        }
    }

    // MARK: Waking

    /// Wakes the threads that have work. Each checks for itself, so waking one too many does no harm.
    private func wake(_ state: inout State) {
        let isOver = Self.isOver(state)
        if state.idle > 0 {
            let ready = state.slots.count(where: \.isReady)
            let count = isOver ? state.idle : state.weight < maximumWeight ? ready : min(ready, 1)
            for _ in 0..<min(count, state.idle) {
                state.idle -= 1
                workers.signal()
            }
        }
        if state.writerWaits, isOver || state.slots.first?.isWritable == true {
            state.writerWaits = false
            writer.signal()
        }
        wakeReader(&state)
    }

    /// Wakes the reader if half of the store is used up, or if a thread is idle. Waking it for every block would cost
    /// too many context switches.
    private func wakeReader(_ state: inout State) {
        let isLow = state.slots.count < Self.maximumBlocks / 2 && state.weight < maximumReadAhead / 2
        let hasRoom = state.slots.count < Self.maximumBlocks && state.weight < maximumReadAhead
        guard state.readerWaits, isLow || state.idle > 0 && hasRoom || state.isInterrupted else { return }
        state.readerWaits = false
        reader.signal()
    }
}
