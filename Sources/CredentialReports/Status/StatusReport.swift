package import Credentials
import Encodings

/// What `shcverify status` found, for people and for Prometheus. `StatusJSON` has it for other programs.
package struct StatusReport {
    private let items: [StatusItem]
    private let now: NumericDate
    /// A line for each item, but only one for all built-in lists, and one for a list that is not in any place.
    package let lines: [Line]

    /// A line for people.
    package struct Line {
        /// The name and the status, as in the verdict.
        package var title: String { "\(name.rawValue) \(word)" }
        let name: StatusItem.Name
        let word: String
        /// What was found, and what to do about it.
        package let words: String
        /// Whether it does not work. That is worse than missing or old.
        package let isFault: Bool
        /// Whether something is not in order because of it.
        package let isProblem: Bool
        let style: Palette.Style
    }

    /// - Parameters:
    ///   - now: the time at which the items were examined.
    ///   - remedy: what to do about the item with a name, or about a status.
    package init(_ items: [StatusItem], at now: NumericDate, remedy: (String) -> String?) {
        self.items = items
        self.now = now
        lines = items.grouped(by: \.name).flatMap { items in
            let others = items.filter { $0.source != .builtIn }
            let found = others.filter { $0.condition != .missing }
            let isMet = found.contains { $0.isUsable || $0.condition == .fault }
            let shown = Self.summary(of: items) + (found.isEmpty ? Array(others.prefix(1)) : found)
            return shown.map { Line($0, isMet: isMet, at: now, remedy: remedy) }
        }
    }

    /// One item for all built-in lists, if there are any.
    private static func summary(of items: [StatusItem]) -> [StatusItem] {
        let dates = items.filter { $0.source == .builtIn }.compactMap(\.date).sorted()
        guard let first = dates.first, let last = dates.last else { return [] }
        return [StatusItem(.codes, .ok, source: .builtIn, "\(dates.count.counted("list")), of \(first) to \(last)")]
    }

    // MARK: Output

    /// Whether everything is in order, or what is not; then the lines.
    package func text(to destination: Destination) -> [UInt8] {
        let problems = lines.filter(\.isProblem)
        let named = problems.isEmpty ? lines.filter { $0.style == .unsure } : problems
        let list = named.grouped(by: \.title).compactMap { $0.first?.title }.joined(separator: ", ")
        let (verdict, style): (String, Palette.Style) =
            list.isEmpty
            ? ("ok: everything works, and nothing that was asked for is missing or old", .good)
            : problems.isEmpty ? ("ok, except: \(list)", .unsure) : ("not ok: \(list)", .bad)
        let rows = lines.map { [Words($0.name.rawValue), Words($0.word, .tone($0.style)), Words($0.words)] }
        return TextRenderer.bytes(
            [.line(Words(verdict, .verdict(style))), .rows(rows, columns: [10, 10])], to: destination)
    }

    /// Metrics in Prometheus's text format (https://prometheus.io/docs/instrumenting/exposition_formats/).
    package func prometheus(exitCode: Int32) -> [UInt8] {
        let usable = items.map { ($0.labels, [.ok, .old].contains($0.condition) ? 1 : 0) }
        let proofs = items.filter { $0.name == .gdhcn && $0.isInstalledList }.map { ($0.labels, $0.isVerified ? 1 : 0) }
        let ages = items.compactMap { item in item.ageInSeconds(at: now).map { (item.labels, $0) } }
        let text =
            Self.metric("exit_code", "The exit code of shcverify status.", [("", Int(exitCode))])
            + Self.metric(
                "usable", "1 if it works, or if it is a list that can be used, also an old one; else 0.", usable)
            + Self.metric("list_age_seconds", "The age of a list, by the date that it has.", ages)
            + Self.metric("list_proved", "1 if WHO's list has a proof that was verified; else 0.", proofs)
        return Array(text.utf8)
    }

    private static func metric(_ name: String, _ help: String, _ values: [(labels: String, Int)]) -> String {
        guard !values.isEmpty else { return "" }
        return "# HELP shcverify_\(name) \(help)\n# TYPE shcverify_\(name) gauge\n"
            + values.map { "shcverify_\(name)\($0) \($1)\n" }.joined()
    }
}

extension StatusReport.Line {
    /// - Parameter isMet: whether the item, or the same one in another place, is there.
    fileprivate init(_ item: StatusItem, isMet: Bool, at now: NumericDate, remedy: (String) -> String?) {
        name = item.name
        // The fetch program belongs to every installation. Anything that is required and missing has the same exit code.
        isFault = item.condition == .fault || item.name == .fetch && item.condition == .missing && !item.isRequired
        isProblem =
            isFault || item.condition == .old || item.isRequired && (!isMet || item.refusal != nil)
        let isMissing = item.condition == .missing
        word = isMissing && !isProblem ? "absent" : item.condition.rawValue
        let found = isMissing && item.source != nil ? "not installed" : item.words(at: now)
        let advice = item.condition == .ok ? nil : remedy(item.topic ?? item.name.rawValue)
        words = found.replacing("\n", with: " ") + (advice.map { ". \($0)" } ?? "")
        style =
            switch item.condition {
            case .ok: .good
            case .old: .unsure
            default: isProblem ? .bad : isMissing && item.name != .cage ? .faint : .unsure
            }
    }
}

extension StatusItem {
    /// The source and the message, with the age.
    fileprivate func words(at now: NumericDate) -> String {
        let age = ageInDays(at: now).map { days in
            days < 0
                ? "in the future: is the clock of this machine right?"
                : days == 0 ? "today" : "\(days.counted("day")) old"
        }
        return [source?.rawValue, message].compactMap(\.self).joined(separator: ": ") + (age.map { " (\($0))" } ?? "")
    }

    /// The labels that distinguish its metrics from those of others.
    fileprivate var labels: String {
        let labels = [("name", name.rawValue), ("list", list), ("id", listID), ("source", source?.rawValue)]
        let escapes: [Unicode.Scalar: String] = ["\\": "\\\\", "\"": "\\\"", "\n": "\\n"]
        let pairs = labels.compactMap { label, value in
            value.map { "\(label)=\"\(TerminalText.escaped($0, escapes, secondSign: " #"))\"" }
        }
        return "{\(pairs.joined(separator: ","))}"
    }
}

/// One thing that `shcverify status` examines: a program, an installed or built-in list, or the cache.
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
        /// It is there but not used: it is damaged, or somebody else could have written it.
        case unusable
        /// It does not work.
        case fault
    }

    /// Where a list comes from.
    package enum Source: String {
        case user, system
        case builtIn = "built-in"
    }

    package let name: Name
    /// The name of a list of codes; nil for all others.
    package var list: String?
    /// What distinguishes a list of codes from others: its form and ID.
    package var listID: String?
    package var condition: Condition
    package var source: Source?
    /// The date of the list: a day or a time.
    package var date: String?
    /// Whether it is a list whose proof was verified when it was installed.
    package var isVerified = false
    /// The time that `date` states. For a day, it is the beginning.
    package var time: NumericDate? {
        date.flatMap { NumericDate(text: $0.utf8.count == 10 ? "\($0)T00:00:00Z" : $0) }
    }
    package var isRequired = false
    /// The word that explains what to do; nil if that is the name.
    fileprivate var topic: String?
    /// Why commands refuse the list unless an option permits it, in words which call it "it"; nil if they do not.
    package var refusal: String?
    package var message: String

    package init(
        _ name: Name, _ condition: Condition, source: Source? = nil, topic: String? = nil, _ message: String
    ) {
        self.topic = topic
        self.name = name
        self.condition = condition
        self.source = source
        self.message = message
    }

    /// Whether it is a list that was installed and can be used.
    package var isInstalledList: Bool { (source == .user || source == .system) && [.ok, .old].contains(condition) }

    /// Whether it is an installed list, or a helper program, that can be used.
    package var isUsable: Bool { source == nil ? condition == .ok : isInstalledList }

    /// Marks a list that commands refuse as one that cannot be used, if it is required.
    package mutating func markIfRefused() {
        guard isRequired, let refusal else { return }
        (condition, topic) = (.unusable, "list-for-tests")
        message += "; \(refusal)"
    }

    /// The age in whole seconds.
    package func ageInSeconds(at now: NumericDate) -> Int? {
        time.map { Int((now.sinceEpoch - $0.sinceEpoch).components.seconds) }
    }

    /// The age in whole days, rounded down.
    package func ageInDays(at now: NumericDate) -> Int? {
        ageInSeconds(at: now).map { $0 / 86_400 - ($0 % 86_400 < 0 ? 1 : 0) }
    }

    /// Marks an installed list as old if it is older than this, counted in the whole days that are printed, because most lists have only a
    /// day. A list of unknown age is older than any limit.
    package mutating func markIfOlder(thanDays days: Double, at now: NumericDate) {
        guard isInstalledList, condition == .ok else { return }
        if let age = ageInDays(at: now), Double(age) <= days { return }
        condition = .old
    }
}
