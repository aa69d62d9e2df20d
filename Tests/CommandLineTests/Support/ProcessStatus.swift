import Foundation
import TestSupport
import Testing

/// What the system says of the rights of a process.
enum ProcessStatus {
    /// The status of each thread of a process, as text.
    private static func threads(of process: pid_t) throws -> [String] {
        let folder = "/proc/\(process)/task"
        return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
            // A thread may have ended meanwhile.
            try? String(contentsOfFile: "\(folder)/\($0)/status", encoding: .utf8)
        }
    }

    /// Expects that each thread of a process is filtered.
    ///
    /// - Parameters:
    ///   - count: the fewest threads. It waits until there are so many and the first one is filtered: before that, a program counts how
    ///     many it could start.
    ///   - isPowerless: whether the power of root has been given up too.
    static func expectFilters(of process: pid_t, threads count: Int = 2, isPowerless: Bool = false) throws {
        try waitUntil {
            let first = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
            return try first?.contains("\nSeccomp:\t2\n") == true && Self.threads(of: process).count >= count
        }
        let threads = try threads(of: process)
        #expect(threads.count >= count)
        for thread in threads {
            #expect(thread.contains("\nNoNewPrivs:\t1\n") && thread.contains("\nSeccomp:\t2\n"), "\(thread)")
            #expect(!isPowerless || thread.contains("\nCapEff:\t0000000000000000\n"), "\(thread)")
        }
    }
}
