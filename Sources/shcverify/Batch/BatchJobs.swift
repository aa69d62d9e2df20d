import CProcess
import Glibc

/// How many threads verify.
enum BatchJobs {
    /// Well below the 255 threads that Dispatch has at most: were it to have none left for the thread that writes, nothing
    /// would ever be done.
    private static let maximum = 128

    /// What the program takes with a single thread that verifies.
    private static let baseMemory: UInt64 = 256 << 20
    /// What each further thread may take of the address space: its stack, and what the C library sets aside for it.
    private static let threadMemory: UInt64 = 96 << 20

    /// The threads besides those that verify: one reads, one writes, and some wait for issuers and signals. Measured: 6.
    private static let furtherThreads = 8

    /// As many as were asked for, or as there are processors, as far as the limits of the process have room for them. A
    /// thread that cannot be made is tried for again for ever, by who starts it.
    static func count(asked: Int?) -> Int {
        ProcessSetup.makeSureOfThreads(1 + furtherThreads)
        var wanted = min(asked ?? ProcessorCount.usable, maximum)
        wanted = min(wanted, max(1, Int(threads_room(Int32(wanted + furtherThreads))) - furtherThreads))
        let room =
            [RLIMIT_AS, RLIMIT_DATA].map { resource -> UInt64 in
                var limit = rlimit()
                // Unsafe: the call writes into the variable, and keeps no pointer to it.
                guard unsafe getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 else { return .max }
                return UInt64(limit.rlim_cur)
            }.min() ?? .max
        guard room > baseMemory else { return 1 }
        return Int(min(UInt64(wanted), 1 + (room - baseMemory) / threadMemory))
    }
}
