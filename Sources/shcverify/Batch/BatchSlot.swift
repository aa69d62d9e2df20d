import SMARTHealthCards

/// A block's place among those that are held, and what is to be done with it next.
struct BatchSlot: Sendable {
    enum Phase: Sendable {
        case ready, running, done
        /// Has to be written in part before it goes on.
        case full
        case waiting(Set<EvidenceRequest>)
        /// Is written as far as it came, and ends the run.
        case cut
    }

    /// Nil while a thread has it.
    var block: BatchBlock?
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

    var isWritable: Bool {
        switch phase {
        case .done, .full, .cut: true
        case .ready, .running, .waiting: false
        }
    }
}
