import ArgumentParser
import CredentialReports
import Credentials
import Directories
import StrictJSON

/// One thing that `shcverify status` looks at: a program, an installed or built-in list, or the cache.
struct StatusItem {
    /// What it is.
    enum Name: String {
        case program, clock, openssl, cage, fetch, scan, codes, vci, gdhcn, cache
    }

    enum Condition: String {
        case ok
        /// It is not installed, or the kernel does not have it.
        case missing
        /// It is older than `--max-age` allows.
        case old
        /// It is there and is not used: it is damaged, or somebody else could have written it.
        case unusable
        /// It does not work.
        case fault
    }

    /// Where a list is from.
    enum Source: String {
        case user, system
        case builtIn = "built-in"

        init(_ store: ListStore) { self = store.isSystem ? .system : .user }
    }

    let name: Name
    /// The name of a list of codes; nil for all others.
    var list: String?
    /// What tells a list of codes from others: its form and ID.
    var listID: String?
    var condition: Condition
    var source: Source?
    /// The date of the list: a day or a time.
    var date: String?
    /// Whether it is a list whose proof was verified when it was installed.
    var isVerified = false
    /// Which of two editions of a list is used.
    var rank: ListRank { ListRank(isVerified: isVerified, time: time) }
    /// The time that `date` states.
    var time: NumericDate? { date.flatMap(Self.time) }
    var isRequired = false
    var message: String

    init(_ name: Name, _ condition: Condition, source: Source? = nil, _ message: String) {
        self.name = name
        self.condition = condition
        self.source = source
        self.message = message
    }

    /// Whether it is a list that was installed and can be used.
    var isInstalledList: Bool { (source == .user || source == .system) && [.ok, .old].contains(condition) }

    /// Whether it is an installed list, or a helper program, that can be used.
    var isUsable: Bool { source == nil ? condition == .ok : isInstalledList }

    /// The moment of a time, or the first one of a day.
    private static func time(_ date: String) -> NumericDate? {
        NumericDate(text: date.utf8.count == 10 ? "\(date)T00:00:00Z" : date)
    }

    /// The age in whole days, rounded down.
    func ageInDays(at now: NumericDate) -> Int? {
        time.map { time in
            let seconds = (now.sinceEpoch - time.sinceEpoch).components.seconds
            return Int(seconds / 86_400) - (seconds % 86_400 < 0 ? 1 : 0)
        }
    }

    /// Marks an installed list as old if it is older than this, by the whole days that are printed: most lists have only a day. A list of
    /// unknown age is older than any limit.
    mutating func markIfOlder(thanDays days: Double, at now: NumericDate) {
        guard isInstalledList, condition == .ok else { return }
        if let age = ageInDays(at: now), Double(age) <= days { return }
        condition = .old
    }

    // MARK: Output

    /// The source and the message, with the age.
    func words(at now: NumericDate) -> String {
        let words = { (days: Int) in
            switch days {
            case ..<0: "in the future: is the clock of this machine right?"
            case 0: "today"
            case 1: "1 day old"
            default: "\(days) days old"
            }
        }
        let age = ageInDays(at: now).map(words) ?? ""
        return (source.map { "\($0.rawValue): " } ?? "") + message + (age.isEmpty ? "" : " (\(age))")
    }

    /// The cells of its line.
    func row(at now: NumericDate) -> [Words] {
        [Words(name.rawValue), Words(condition.rawValue), Words(words(at: now).replacing("\n", with: " "))]
    }

    func write(to writer: inout JSONWriter, at now: NumericDate) {
        writer.object { writer in
            writer.member("name", name.rawValue)
            writer.member("list", list)
            writer.member("status", condition.rawValue)
            writer.member("date", date)
            writer.member("ageDays", ageInDays(at: now))
            writer.member("source", source?.rawValue)
            writer.name("required")
            writer.value(isRequired)
            writer.member("message", message)
        }
    }
}
