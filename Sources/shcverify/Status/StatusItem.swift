import ArgumentParser
import Credentials
import JSON
import Reports

/// One thing that `shcverify status` looks at: a program, an installed or built-in list, or the cache.
struct StatusItem {
    /// What it is.
    enum Name: String {
        case program, clock, openssl, fetch, scan, codes, vci, gdhcn, cache
    }

    enum Condition: String {
        case ok
        /// It is not installed.
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
    /// What tells a list of codes from others.
    var listID: String?
    var condition: Condition
    var source: Source?
    /// The date as the list states it: a day or a time.
    var date: String?
    /// The time from which the age counts.
    var time: NumericDate?
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

    /// The age in whole days, rounded down.
    func ageInDays(at now: NumericDate) -> Int? {
        time.map { time in
            let seconds = (now.sinceEpoch - time.sinceEpoch).components.seconds
            return Int(seconds / 86_400) - (seconds % 86_400 < 0 ? 1 : 0)
        }
    }

    /// Marks an installed list as old if it is older than this. A list of unknown age is older than any limit.
    mutating func markIfOlder(thanDays days: Double, at now: NumericDate) {
        guard isInstalledList, condition == .ok else { return }
        if let time, now.sinceEpoch - time.sinceEpoch <= .seconds(days * 86_400) { return }
        condition = .old
    }

    // MARK: Output

    /// The source and the message, with the age.
    func words(at now: NumericDate) -> String {
        let age =
            switch ageInDays(at: now) {
            case nil: ""
            case let days? where days < 0: " (in the future: is the clock of this machine right?)"
            case 0?: " (today)"
            case 1?: " (1 day old)"
            case let days?: " (\(days) days old)"
            }
        return (source.map { "\($0.rawValue): " } ?? "") + message + age
    }

    func line(at now: NumericDate) -> String {
        let padded = { (text: String) in text + String(repeating: " ", count: max(1, 10 - text.utf8.count)) }
        let line = padded(name.rawValue) + padded(condition.rawValue) + words(at: now)
        return TerminalText.printable(line.replacing("\n", with: " ")) + "\n"
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
