import Dispatch
import Glibc
import Synchronization

/// SIGINT and SIGTERM while cards are verified. After the first signal, the cards in work are finished. The second one
/// ends the process.
///
/// A signal that was ignored at the start stays ignored. A shell ignores SIGINT for programs in the background, and
/// `trap '' TERM` protects a program that must not be ended.
final class BatchSignals: Sendable {
    private let first = Mutex<Int32?>(nil)

    /// The first signal; nil if none came.
    var signal: Int32? { first.withLock { $0 } }

    /// Watches for the signals for as long as the returned sources live.
    ///
    /// - Parameter onFirst: is called at the first signal.
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

    /// Ignores a signal, so that it no longer ends the process by default.
    ///
    /// - Returns: whether the signal was ignored before.
    private static func ignore(_ number: Int32) -> Bool {
        // Unsafe: the bits of two pointers are compared. Neither is called; SIG_IGN is not a function.
        let before = unsafe unsafeBitCast(Glibc.signal(number, SIG_IGN), to: Int.self)
        let ignored = unsafe unsafeBitCast(SIG_IGN, to: Int.self)
        return before == ignored
    }
}
