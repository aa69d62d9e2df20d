import Credentials
import Dispatch
import Glibc
import Processes
import Synchronization

/// SIGINT and SIGTERM during a run over lines. After the first signal, the lines in work are finished. The second one
/// ends the process, and so does the time: a reader of the output, or a file, may keep the run waiting for ever.
///
/// A signal that was ignored at the start stays ignored. A shell ignores SIGINT for programs in the background, and
/// `trap '' TERM` protects a program that must not be ended.
final class LineSignals: Sendable {
    private let first = Mutex<Int32?>(nil)

    /// The time for the lines in work. A picture may take less, and a manager of services usually waits longer before it kills.
    private static let patience = 15

    /// The first signal; nil if none came.
    var signal: Int32? { first.withLock { $0 } }

    /// Watches for the signals for as long as the returned sources live.
    ///
    /// - Parameter onFirst: is called at the first signal.
    func watch(_ onFirst: @escaping @Sendable () -> Void) -> [any DispatchSourceSignal] {
        [SIGINT, SIGTERM].filter { !Self.isIgnored($0) }.map { number in
            let queue = DispatchQueue(label: "signals")
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            let end = { @Sendable in
                UnfinishedFiles.remove()
                _exit(RunReason.signal(number).exitCode)
            }
            source.setEventHandler {
                let isFirst = self.first.withLock { first in
                    defer { first = first ?? number }
                    return first == nil
                }
                guard isFirst else { return end() }
                queue.asyncAfter(deadline: .now() + .seconds(Self.patience), execute: end)
                onFirst()
            }
            source.activate()
            return source
        }
    }

    /// Whether a signal is ignored. Its disposition is not changed: Dispatch takes over the signal when it begins to watch, and
    /// until then the signal ends the process. If it were ignored in between, a signal at that moment would be lost.
    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        // Unsafe: the call writes into the variable, and keeps no pointer to it. The bits of two pointers are compared, and
        // neither is called; SIG_IGN is not a function.
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        let handler = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        let ignored = unsafe unsafeBitCast(SIG_IGN, to: Int.self)
        return handler == ignored
    }
}
