/// A block in the scheduler, and what happens to it next.
///
///     ready ──▶ running ──▶ done           each line has its result
///       ▲          ├──────▶ full ──▶ ready  the results so far are written, and it goes on
///       │          └──────▶ waiting         its lines need evidence, which is asked for
///       └───────────────────────┘           the last answer has come
///
/// An interruption cuts the first waiting block after the results that it has, and drops all blocks behind it.
struct LineSlot<Worker: LineWorker>: Sendable {
    enum Phase: Sendable {
        case ready, running, done
        /// A part of it must be written before it goes on.
        case full
        case waiting
        /// Its results so far are written, and the run ends there.
        case cut
    }

    /// The work on the block; nil while a thread has it.
    var work: BlockWork<Worker>?
    var phase = Phase.ready
    var weight: Int

    var isReady: Bool {
        if case .ready = phase { true } else { false }
    }

    var isWaiting: Bool {
        if case .waiting = phase { true } else { false }
    }

    var isCut: Bool {
        if case .cut = phase { true } else { false }
    }

    /// Whether verdicts can be written. Those before a card that waits do not wait with it.
    var isWritable: Bool {
        switch phase {
        case .done, .full, .cut: true
        case .waiting: work?.output.isEmpty == false
        case .ready, .running: false
        }
    }
}
