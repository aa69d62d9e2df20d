import Dispatch
import Glibc
import Synchronization

/// SIGINT and SIGTERM while cards are verified: the first has the cards in hand finished, the second ends the process.
///
/// One that was ignored when the program started stays ignored: a shell does that for what runs in the background, and
/// `trap '' TERM` for what must not be ended.
final class BatchSignals: Sendable {
    private let first = Mutex<Int32?>(nil)

    /// The signal that came; nil if none did.
    var signal: Int32? { first.withLock { $0 } }

    /// Watches for signals as long as the returned sources live.
    ///
    /// - Parameter onFirst: is called when the first arrives.
    func watch(_ onFirst: @escaping @Sendable () -> Void) -> [any DispatchSourceSignal] {
        [SIGINT, SIGTERM].filter { !Self.ignore($0) }.map { number in
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

    /// Has a signal no longer end the process by itself.
    ///
    /// - Returns: whether it was ignored before.
    private static func ignore(_ number: Int32) -> Bool {
        // Unsafe: what is compared are the bits of two pointers, neither of which is called. SIG_IGN is no function.
        let before = unsafe unsafeBitCast(Glibc.signal(number, SIG_IGN), to: Int.self)
        let ignored = unsafe unsafeBitCast(SIG_IGN, to: Int.self)
        return before == ignored
    }
}
