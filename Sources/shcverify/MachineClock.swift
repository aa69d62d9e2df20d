import Credentials
import Directories

/// This machine's clock, by which cards are judged unless `--at` gives a time.
///
/// A clock that stands before the release of this program, or before a list that is installed, is wrong. With it, cards would be
/// refused as not yet valid, and those that have expired would pass.
enum MachineClock {
    /// The day on which this version was released: that of its heading in CHANGELOG.md. It is a constant, so that the same sources
    /// always make the same program.
    static let released = "2026-11-23"

    /// How far the clock may be behind: a release is dated by the day of its makers, and an update accepts a list that is somewhat
    /// ahead of this machine's clock.
    private static let tolerance = Duration.seconds(2 * 86_400)

    /// Something that is older than now, if the clock is right.
    struct Mark: Sendable {
        /// What it is, in words that follow "is before".
        let name: String
        let time: NumericDate
    }

    /// What is wrong with a clock that shows this time; nil if nothing is known to be.
    ///
    /// - Parameter marks: what is older than now if the clock is right; nil for what this machine has.
    static func problem(at now: NumericDate = .now, marks: [Mark]? = nil) -> String? {
        let latest = (marks ?? Self.marks).filter { now.sinceEpoch + tolerance < $0.time.sinceEpoch }.max {
            $0.time < $1.time
        }
        return latest.map { mark in
            "this machine's clock shows \(now.toTheSecond), which is before \(mark.name) (\(mark.time.description.prefix(10))): "
                + "set the clock"
        }
    }

    /// Ends the command if the clock of this machine is wrong.
    ///
    /// - Parameter takesTime: whether the command takes the time with `--at` instead.
    static func requireRight(takesTime: Bool = true) throws {
        guard let problem = problem() else { return }
        let way = takesTime ? ", or give the time with --at" : ""
        throw CommandFailure(.internalError, "\(problem)\(way)")
    }

    /// The release, and the lists that are installed.
    private static var marks: [Mark] {
        let release = NumericDate(text: "\(released)T00:00:00Z").map { time in
            [Mark(name: "the release of this program", time: time)]
        }
        let lists = ListPlaces.standard.lists(after: .now).map { list in
            Mark(name: "the installed list \"\(list.name.rawValue)\" in \(list.store.parent)", time: list.time)
        }
        return (release ?? []) + lists
    }
}
