import Foundation

/// A process of the system, also after its number was given to another one.
struct RunningProcess: Hashable, CustomStringConvertible {
    let number: pid_t
    /// When it started, as the system says.
    private let start: String

    /// - Returns: nil if there is no such process.
    init?(_ number: pid_t) {
        guard let facts = Self.facts(of: number) else { return nil }
        self.number = number
        start = facts[19]
    }

    /// What the system says of a process, from its state on (proc_pid_stat(5)).
    private static func facts(of number: pid_t) -> [String]? {
        // The name, in brackets, can be anything.
        guard let text = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return nil }
        let facts = text[end...].dropFirst().split(separator: " ").map { String($0) }
        return facts.count > 19 ? facts : nil
    }

    private var state: String? {
        guard let facts = Self.facts(of: number), facts[19] == start else { return nil }
        return facts[0]
    }

    /// Whether it has ended. It may still wait to be waited for.
    var isGone: Bool { [nil, "Z", "X"].contains(state) }

    /// Whether it was stopped by a signal.
    var isStopped: Bool { state == "T" }

    /// The name of its program's file; nil if it is not known.
    var program: String? {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(number)/exe"))?
            .split(separator: "/").last.map { String($0) }
    }

    /// Its children, and theirs.
    var descendants: Set<RunningProcess> {
        let threads = "/proc/\(number)/task"
        let children = ((try? FileManager.default.contentsOfDirectory(atPath: threads)) ?? []).flatMap { thread in
            (try? String(contentsOfFile: "\(threads)/\(thread)/children", encoding: .utf8))?.split(separator: " ") ?? []
        }
        return children.compactMap { pid_t($0).flatMap { RunningProcess($0) } }.reduce(into: []) { all, child in
            all.formUnion([child])
            all.formUnion(child.descendants)
        }
    }

    var description: String { "\(number) (\(program ?? "?"), \(state ?? "gone"))" }
}
