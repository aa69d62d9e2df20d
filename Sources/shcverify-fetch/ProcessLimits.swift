import CProcess
import CURLHook
import Glibc
import IssuerNetwork

/// What this process allows itself, so that a server's answer cannot take more of the machine than it is worth.
enum ProcessLimits {
    /// The memory that URLSession takes for itself, and what it holds of a redirect that nobody reads. Measured: 40 MB,
    /// up to 80 MB where a server floods it.
    private static let baseMemory = 192 << 20

    /// How many threads are needed: the one below, and those of Dispatch and libcurl. Measured: 6; one is to spare.
    private static let threads: Int32 = 7

    /// Sets what does not depend on the request: no core dump, no life after the parent's, no long wait for a request; and
    /// makes sure of the threads that are needed, since Dispatch tries for ever to make one for which there is no room.
    ///
    /// - Returns: why nothing can be fetched; nil if it can.
    static func setAtStart() -> TransportFailure? {
        // Signals may be inherited as ignored or blocked, and the alarm below has to end this.
        _ = signal(SIGALRM, SIG_DFL)
        var none = sigset_t()
        // Unsafe: the calls write and read the variable, and keep no pointer to it.
        unsafe sigemptyset(&none)
        unsafe sigprocmask(SIG_SETMASK, &none, nil)
        threads_take_less(true)
        // To Linux 0 means that no core is written to a file, 1 that none is handed to another program either.
        set(RLIMIT_CORE, to: 1)
        _ = die_with_parent()
        alarm(10)
        guard threads_room(threads) == threads, endWhenNobodyReads() == 0 else {
            return TransportFailure(.installation, "there is no room for its \(threads) threads (ulimit -u)")
        }
        return nil
    }

    /// Sets the memory and the time that the request may take.
    ///
    /// A limit that cannot be set is one that the surroundings have set lower already.
    static func set(for request: HTTPRequest) {
        // The body, and once more while it grows. Measured: 150 MB for 64 MiB.
        if !has_shadow_memory() { set(RLIMIT_DATA, to: baseMemory + 2 * request.maximumBodySize) }
        let seconds = (request.timeout.milliseconds + 999) / 1000
        set(RLIMIT_CPU, to: seconds + 2)
        // Where all else hangs, the signal's default action ends the process.
        alarm(UInt32(seconds + 1))
    }

    /// Ends the process when nobody holds the other end of standard output any more.
    ///
    /// Who asks to be told of the parent's end can come too late: it may have ended already, or have lost its threads and
    /// not yet closed its files. So this is looked out for as long as the process runs, in a thread.
    ///
    /// - Returns: 0, or why there is no thread.
    private static func endWhenNobodyReads() -> Int32 {
        // Unsafe: the thread is handed nothing.
        unsafe thread_start(
            { _ in
                var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
                // Unsafe: the call writes into the variable, and keeps no pointer to it.
                while unsafe poll(&output, 1, -1) < 0, errno == EINTR {}
                if output.revents & Int16(POLLERR) != 0 { _exit(1) }
            }, nil)
    }

    private static func set(_ resource: __rlimit_resource, to value: Int) {
        var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
        // Unsafe: the call reads the structure, and keeps no pointer to it.
        _ = unsafe setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
    }
}
