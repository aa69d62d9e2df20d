package import Credentials

/// One thing that `shcverify status` looks at: a program, an installed or built-in list, or the cache.
package struct StatusItem: Sendable {
    /// What it is.
    package enum Name: String {
        case program, clock, openssl, cage, fetch, scan, codes, vci, gdhcn, cache
    }

    package enum Condition: String {
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
    package enum Source: String {
        case user, system
        case builtIn = "built-in"
    }

    package let name: Name
    /// The name of a list of codes; nil for all others.
    package var list: String?
    /// What tells a list of codes from others: its form and ID.
    package var listID: String?
    package var condition: Condition
    package var source: Source?
    /// The date of the list: a day or a time.
    package var date: String?
    /// Whether it is a list whose proof was verified when it was installed.
    package var isVerified = false
    /// The time that `date` states: the first moment of a day.
    package var time: NumericDate? {
        date.flatMap { NumericDate(text: $0.utf8.count == 10 ? "\($0)T00:00:00Z" : $0) }
    }
    package var isRequired = false
    package var message: String

    package init(_ name: Name, _ condition: Condition, source: Source? = nil, _ message: String) {
        self.name = name
        self.condition = condition
        self.source = source
        self.message = message
    }

    /// Whether it is a list that was installed and can be used.
    package var isInstalledList: Bool { (source == .user || source == .system) && [.ok, .old].contains(condition) }

    /// Whether it is an installed list, or a helper program, that can be used.
    package var isUsable: Bool { source == nil ? condition == .ok : isInstalledList }

    /// The age in whole seconds.
    package func ageInSeconds(at now: NumericDate) -> Int? {
        time.map { Int((now.sinceEpoch - $0.sinceEpoch).components.seconds) }
    }

    /// The age in whole days, rounded down.
    package func ageInDays(at now: NumericDate) -> Int? {
        ageInSeconds(at: now).map { $0 / 86_400 - ($0 % 86_400 < 0 ? 1 : 0) }
    }

    /// Marks an installed list as old if it is older than this, by the whole days that are printed: most lists have only a day. A list of
    /// unknown age is older than any limit.
    package mutating func markIfOlder(thanDays days: Double, at now: NumericDate) {
        guard isInstalledList, condition == .ok else { return }
        if let age = ageInDays(at: now), Double(age) <= days { return }
        condition = .old
    }
}
