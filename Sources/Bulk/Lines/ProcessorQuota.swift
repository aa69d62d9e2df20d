import Processes

/// The processor time that control groups grant this process (cgroup v2, `cpu.max`). Containers have such a limit, and see all processors of
/// the machine nevertheless. More threads than that would only take turns.
enum ProcessorQuota {
    /// The number of processors whose time is granted, rounded up; nil if nothing limits it.
    static var count: Int? {
        guard let groups = try? InputReader.read("/proc/self/cgroup", limit: 1 << 16) else { return nil }
        return folders(of: groups).compactMap { folder in
            (try? InputReader.read("\(folder)/cpu.max", limit: 1 << 10)).flatMap(processors(grantedBy:))
        }.min()
    }

    /// The folders of the group of a process and of those around it, each of which can have a limit.
    ///
    /// - Parameter groups: what `/proc/PID/cgroup` says. The line of cgroup v2 begins with `0::`.
    static func folders(of groups: [UInt8]) -> [String] {
        let start = Array("0::/".utf8)
        guard let line = groups.split(separator: UInt8(ascii: "\n")).first(where: { $0.starts(with: start) }) else {
            return []
        }
        let names = line.dropFirst(start.count).split(separator: UInt8(ascii: "/"))
        return (0...names.count).map { depth in
            names.prefix(depth).reduce("/sys/fs/cgroup") { "\($0)/\(String(decoding: $1, as: UTF8.self))" }
        }
    }

    /// The number of processors for the text of a `cpu.max`: the microseconds that are granted in a period, or `max`, and the microseconds of
    /// the period. nil if it sets no limit, or has another form.
    static func processors(grantedBy text: [UInt8]) -> Int? {
        let numbers = String(decoding: text, as: UTF8.self).split { $0 == " " || $0 == "\n" }.map { Int($0) }
        guard numbers.count == 2, let granted = numbers[0], let period = numbers[1], granted > 0, period > 0 else {
            return nil
        }
        return granted / period + (granted % period == 0 ? 0 : 1)
    }
}
