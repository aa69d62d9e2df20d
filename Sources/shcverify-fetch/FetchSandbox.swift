import CProcess
import CURLHook
import Glibc
import HTTPSFetch
import Processes

/// The limits that this process sets for itself, so that a server's answer cannot use up the machine.
enum FetchSandbox {
    /// The memory that URLSession itself needs, and holds for a redirect whose body is not read. Measured: 40 MB, and
    /// up to 80 MB if a server floods it.
    private static let baseMemory = 192 << 20

    /// The number of threads that are needed: the one below, and those of Dispatch and libcurl. Measured: 6. One is
    /// spare.
    private static let threads: Int32 = 7

    /// Sets the limits that do not depend on the request: no core dump, an end with the parent's end, and a time limit
    /// on reading the request.
    ///
    /// Also checks that there is room for the threads, since Dispatch retries for ever if it cannot start one.
    ///
    /// - Returns: why nothing can be fetched; nil if it can.
    static func setAtStart() -> TransportFailure? {
        // Signals may be ignored or blocked by inheritance, and the alarm below must end the process.
        _ = signal(SIGALRM, SIG_DFL)
        var none = sigset_t()
        // Unsafe: the calls write and read the variable, and keep no pointer to it.
        unsafe sigemptyset(&none)
        unsafe sigprocmask(SIG_SETMASK, &none, nil)
        use_small_stacks(true)
        // On Linux, 0 means no core file, and 1 means that no core is piped to another program either.
        set(RLIMIT_CORE, to: 1)
        _ = die_with_parent()
        alarm(10)
        return threads_room(threads) == threads ? nil : noRoom
    }

    private static var noRoom: TransportFailure {
        TransportFailure(.installation, "there is no room for its \(threads) threads (ulimit -u)")
    }

    /// Gives up the rights that the request does not need. After that, no file of the user can be read.
    ///
    /// To be called before there are other threads.
    ///
    /// - Returns: why nothing can be fetched; nil if it can.
    static func giveUpRights() -> TransportFailure? {
        Sandbox.enterFetcher().map { TransportFailure(.installation, $0) }
    }

    /// Waits until standard input can be read. Ends the process if the reader of standard output closes it.
    static func waitForInput() {
        var files = [
            pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
            pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
        ]
        // Unsafe: the call writes into the list, whose length it is given, and keeps no pointer to it.
        while unsafe poll(&files, 2, -1) < 0, errno == EINTR {}
        if files[1].revents & Int16(POLLERR) != 0 { _exit(1) }
    }

    /// Limits the memory and the time of the request.
    ///
    /// If a limit cannot be set, the environment has set a lower one already.
    static func set(for request: HTTPRequest) {
        // The body, and a second copy while its buffer grows. Measured: 150 MB for 64 MiB.
        if !has_shadow_memory() { set(RLIMIT_DATA, to: baseMemory + 2 * request.maximumBodySize) }
        let seconds = (request.timeout.milliseconds + 999) / 1000
        set(RLIMIT_CPU, to: seconds + 2)
        // If everything else hangs, the default action of SIGALRM ends the process.
        alarm(UInt32(seconds + 1))
    }

    /// Ends the process when the reader of standard output closes it.
    ///
    /// `die_with_parent` alone can come too late: the parent may have ended before the call, or have lost its threads
    /// without closing its files. So a thread watches standard output for as long as the process runs.
    ///
    /// - Returns: why nothing can be fetched, if no thread could be started; else nil.
    static func endWhenNobodyReads() -> TransportFailure? {
        // Unsafe: the thread gets no pointer.
        let error = unsafe thread_start(
            { _ in
                var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
                // Unsafe: the call writes into the variable, and keeps no pointer to it.
                while unsafe poll(&output, 1, -1) < 0, errno == EINTR {}
                if output.revents & Int16(POLLERR) != 0 { _exit(1) }
            }, nil)
        return error == 0 ? nil : noRoom
    }

    private static func set(_ resource: __rlimit_resource, to value: Int) {
        var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
        // Unsafe: the call reads the structure, and keeps no pointer to it.
        _ = unsafe setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
    }
}
