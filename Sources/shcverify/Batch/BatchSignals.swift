import Dispatch
import Glibc
import Synchronization

/// SIGINT and SIGTERM while cards are verified: the first has the cards in hand finished, the second ends the process.
final class BatchSignals: Sendable {
    private let first = Mutex<Int32?>(nil)

    /// The signal that came; nil where none did.
    var signal: Int32? { first.withLock { $0 } }

    /// Watches for signals as long as the returned sources live.
    ///
    /// - Parameter onFirst: is called when the first arrives.
    func watch(_ onFirst: @escaping @Sendable () -> Void) -> [any DispatchSourceSignal] {
        [SIGINT, SIGTERM].map { number in
            _ = Glibc.signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: DispatchQueue(label: "signals"))
            source.setEventHandler {
                let isFirst = self.first.withLock { first in
                    defer { first = first ?? number }
                    return first == nil
                }
                guard isFirst else { _exit(128 + number) }
                onFirst()
            }
            source.activate()
            return source
        }
    }
}
