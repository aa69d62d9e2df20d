import Dispatch
import IssuerNetwork
import SMARTHealthCards
import Synchronization

/// Who does what next: one thread reads, some verify, one writes, and issuers are asked meanwhile.
///
/// Blocks are held in the order of the input from when they are read until they are written. What is held is bounded, so
/// that a slow consumer holds the reader back. A block whose cards need what is not known waits, while those after it go on.
final class BatchScheduler: Sendable {
    /// A block's verdicts that can be written, because all before them have been.
    struct Part: Sendable {
        let output: [UInt8]
        let tally: BatchTally
        /// Where the line after them begins.
        let place: BatchPlace
    }

    private struct State {
        /// The blocks, those of the first lines first; the first has the number `first`.
        var slots: [BatchSlot] = []
        var first = 0
        var weight = 0
        var known = RunEvidence()
        var bound: RequestBound
        /// What was asked and is not answered.
        var open: Set<EvidenceRequest> = []
        /// What of it is to be asked next, and how much is being asked.
        var queue: [EvidenceRequest] = []
        var asking = 0
        var isInputOver = false
        var readFailure: InputReader.Failure?
        var isInterrupted = false
        /// Why the run was interrupted, if it was because nothing can be fetched.
        var fault: InstallationFault?
        /// Whether lines were left that nobody has taken up.
        var isCut = false
        var idle = 0
        var readerWaits = false
        var writerWaits = false
    }

    private let state: Mutex<State>
    private let source: any EvidenceSource
    /// By which answers grow old, whatever moment cards are verified for.
    private let clock: @Sendable () -> NumericDate
    private let reader = DispatchSemaphore(value: 0)
    private let workers = DispatchSemaphore(value: 0)
    private let writer = DispatchSemaphore(value: 0)

    /// How many bytes may be held before no more are read, and no more blocks are begun but the one that is to be written
    /// next.
    private let maximumWeight: Int
    /// The same for the reader alone: less, so that what is read ahead does not keep threads from beginning another block.
    private let maximumReadAhead: Int
    private static let maximumBlocks = 256
    private static let maximumAsking = 8

    /// - Parameter jobs: how many threads verify; each needs a block or two at hand.
    init(
        source: any EvidenceSource, bound: RequestBound, jobs: Int,
        clock: @escaping @Sendable () -> NumericDate = { .now }
    ) {
        self.source = source
        self.clock = clock
        maximumReadAhead = max(2 << 20, jobs * 256 << 10)
        maximumWeight = 3 * maximumReadAhead
        state = Mutex(State(bound: bound))
    }

    // MARK: The reader

    /// Takes the next block, once there is room.
    ///
    /// - Parameter afterPause: whether the input had nothing more until now. If every line before has its verdict, the run has
    ///   caught up: what issuers do not want to be kept, it has no reason to keep.
    /// - Returns: whether more are wanted.
    func add(_ block: BatchBlock, afterPause: Bool = false) -> Bool {
        while true {
            let isTaken = state.withLock { state -> Bool? in
                if afterPause, state.slots.isEmpty { state.known.forgetUnkept() }
                guard !state.isInterrupted else {
                    state.isCut = true
                    return false
                }
                guard state.slots.count < Self.maximumBlocks, state.weight < maximumReadAhead else {
                    state.readerWaits = true
                    return nil
                }
                state.slots.append(BatchSlot(block: block, weight: block.weight))
                state.weight += block.weight
                wake(&state)
                return true
            }
            if let isTaken { return isTaken }
            reader.wait()
        }
    }

    /// Says that there are no more blocks.
    ///
    /// - Parameter failure: why not; nil if the input is at its end.
    func endInput(_ failure: InputReader.Failure?) {
        state.withLock { state in
            state.isInputOver = true
            state.readFailure = failure
            wake(&state)
        }
    }

    /// Has no more lines taken up than those that have been already. The reader may still be waiting for some.
    ///
    /// Cards that wait for an issuer are left to the run that continues this one: an answer may take long, and one that the
    /// interruption itself has spoilt (a terminal's also reaches the process that fetches) says nothing of the issuer.
    func interrupt() {
        state.withLock { interrupt(&$0) }
    }

    private func interrupt(_ state: inout State) {
        state.isInterrupted = true
        if !state.isInputOver { state.isCut = true }
        if let index = state.slots.firstIndex(where: \.isWaiting) { Self.cut(&state, at: index) }
        while let last = state.slots.last, last.isReady, last.block?.taken == 0 {
            state.weight -= last.weight
            state.slots.removeLast()
            state.isCut = true
        }
        wake(&state)
    }

    /// Why cards were left that need something fetched: nothing can be. Nil if that has not come up.
    var fault: InstallationFault? { state.withLock { $0.fault } }

    /// Leaves the lines of a block that wait, and all lines after them.
    private static func cut(_ state: inout State, at index: Int) {
        state.isCut = true
        guard var block = state.slots[index].block else { return }
        // What waits is what was taken up last.
        block.taken -= block.pending.count
        block.pending = []
        state.weight -= state.slots[index...].reduce(0) { $0 + $1.weight }
        state.slots.removeSubrange(index...)
        guard block.taken > 0 else { return }
        let weight = block.weight
        state.weight += weight
        state.slots.append(BatchSlot(block: block, phase: .cut, weight: weight))
    }

    /// Whether lines were left because of an interruption.
    var isCut: Bool { state.withLock { $0.isCut } }

    /// Why the input could not be read to its end; nil if it was.
    var readFailure: InputReader.Failure? { state.withLock { $0.readFailure } }

    // MARK: Verifying

    /// What a thread has to do: a block, and what is known.
    struct Job {
        fileprivate let number: Int
        var block: BatchBlock
        let evidence: Evidence
    }

    /// The next block to verify, once there is one; nil at the end.
    func job() -> Job? {
        while true {
            let now = clock()
            let next = state.withLock { state -> Job?? in
                if let index = runnable(state), let block = state.slots[index].block {
                    state.slots[index].block = nil
                    state.slots[index].phase = .running
                    state.known.turn(to: now)
                    return Job(number: state.first + index, block: block, evidence: state.known.evidence)
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

    /// Takes a block back.
    ///
    /// - Parameter requests: what has to be known before it can go on.
    func finish(_ job: consuming Job, requests: [EvidenceRequest]) {
        var block = job.block
        let number = job.number
        let now = clock()
        state.withLock { state in
            let index = number - state.first
            // The block was left, since one before it waits and the run was interrupted.
            guard index < state.slots.count, !state.slots[index].isCut else { return }
            var open: Set<EvidenceRequest> = []
            // What has been answered meanwhile is known when the block goes on.
            for request in requests where !state.known.holds(request) {
                if state.open.contains(request) {
                    open.insert(request)
                } else if state.bound.admits(request, at: now, in: &block.refusals) {
                    open.insert(request)
                    state.open.insert(request)
                    enqueue(request, after: state.known.wait(before: request, at: now), &state)
                }
            }
            let weight = block.weight
            state.weight += weight - state.slots[index].weight
            state.slots[index].weight = weight
            state.slots[index].phase =
                if !open.isEmpty {
                    .waiting(open)
                } else if !requests.isEmpty {
                    .ready
                } else {
                    block.isDone ? .done : .full
                }
            state.slots[index].block = block
            if state.isInterrupted, !open.isEmpty { Self.cut(&state, at: index) }
            ask(&state)
            wake(&state)
        }
    }

    // MARK: Asking

    private func enqueue(_ request: EvidenceRequest, after time: Duration, _ state: inout State) {
        guard time > .zero else { return state.queue.append(request) }
        Task {
            try? await Task.sleep(for: time)
            self.state.withLock { state in
                state.queue.append(request)
                ask(&state)
            }
        }
    }

    private func ask(_ state: inout State) {
        while !state.isInterrupted, state.asking < Self.maximumAsking, !state.queue.isEmpty {
            let request = state.queue.removeFirst()
            state.asking += 1
            Task {
                do throws(InstallationFault) {
                    take(try await source.answer(request), to: request)
                } catch {
                    stop(because: error)
                }
            }
        }
    }

    /// Leaves what waits for an answer unjudged, as if somebody had interrupted the run.
    private func stop(because fault: InstallationFault) {
        state.withLock { state in
            state.fault = fault
            state.asking -= 1
            interrupt(&state)
        }
    }

    private func take(_ answer: EvidenceAnswer, to request: EvidenceRequest) {
        state.withLock { state in
            state.known.add(answer, to: request)
            if case .keys(let issuer, _) = answer.content { state.bound.keep(issuer, until: answer.lifetime.end) }
            state.open.remove(request)
            state.asking -= 1
            for index in state.slots.indices {
                guard case .waiting(var open) = state.slots[index].phase, open.remove(request) != nil else { continue }
                if var block = state.slots[index].block {
                    answer.add(to: &block.answers)
                    state.slots[index].block = block
                }
                state.slots[index].phase = open.isEmpty ? .ready : .waiting(open)
            }
            ask(&state)
            wake(&state)
        }
    }

    // MARK: Writing

    /// The next verdicts to write, once there are some; nil at the end.
    func part() -> Part? {
        while true {
            let next = state.withLock { state -> Part?? in
                if let head = state.slots.first, head.isWritable, var block = head.block {
                    let part = Part(output: block.output, tally: block.tally, place: block.place)
                    if block.isDone || head.isCut {
                        state.weight -= head.weight
                        state.slots.removeFirst()
                        state.first += 1
                    } else {
                        block.output = []
                        block.tally = BatchTally()
                        state.weight += block.weight - head.weight
                        state.slots[0] = BatchSlot(block: block, weight: block.weight)
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

    /// Wakes the threads that have something to do. Each looks for itself, so once too often does no harm.
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

    /// Once half of what was read ahead is left, or somebody has nothing to do: to wake the reader for every block would have
    /// the processor go back and forth.
    private func wakeReader(_ state: inout State) {
        let isLow = state.slots.count < Self.maximumBlocks / 2 && state.weight < maximumReadAhead / 2
        let hasRoom = state.slots.count < Self.maximumBlocks && state.weight < maximumReadAhead
        guard state.readerWaits, isLow || state.idle > 0 && hasRoom || state.isInterrupted else { return }
        state.readerWaits = false
        reader.signal()
    }
}
