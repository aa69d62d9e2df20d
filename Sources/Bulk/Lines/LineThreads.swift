import CProcess
import Encodings
import Glibc
import Processes

/// The number of threads that work on lines.
package enum LineThreads {
    /// Dispatch has at most 255 threads. If none were left for the thread that writes, the run would hang.
    private static let maximum = 128

    /// The memory that the program needs with one such thread.
    private static let baseMemory: UInt64 = 256 << 20
    /// The address space that each further thread may take: its stack, and the arena of the C library.
    private static let threadMemory: UInt64 = 96 << 20

    /// The other threads: one reads, one writes, and some wait for issuers and signals. Measured: 6.
    private static let furtherThreads = 8

    /// The number of threads for which there must be room beside the one that runs already: one that works, and the others.
    package static let least = 1 + furtherThreads

    /// The number that was asked for, or the number of processors that this process may use, reduced to the limits of the process. This matters
    /// because Dispatch retries for ever if it cannot start a thread.
    package static func count(asked: Int?) -> Int {
        var wanted = min(asked ?? min(usableProcessors, ProcessorQuota.count ?? .max), maximum)
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

    /// The number of processors that this process may use. The machine may have more.
    private static var usableProcessors: Int {
        let name = Array("Cpus_allowed:".utf8)
        guard let status = try? InputReader.read("/proc/self/status", limit: 1 << 16),
            let line = status.split(separator: UInt8(ascii: "\n")).first(where: { $0.starts(with: name) })
        else { return max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1) }
        // A bit mask in hexadecimal digits, with commas between groups.
        let digits = line.dropFirst(name.count).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        return max(digits.reduce(0) { $0 + $1.nonzeroBitCount }, 1)
    }
}
