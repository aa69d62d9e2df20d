import Encodings

/// The requirements of a query that a card does not meet, and the records that the card has.
package struct RecordMismatch: Sendable, Hashable {
    /// Why the card's dates do not meet the query.
    package enum DateProblem: Sendable, Hashable {
        /// No record that counts has a date.
        case noDate
        /// The latest date is earlier than required, certainly or possibly.
        case tooEarly(FHIRDate, since: FHIRDate, isCertain: Bool)
        /// The latest date is later than required, certainly or possibly.
        case tooLate(FHIRDate, until: FHIRDate, isCertain: Bool)
        /// A record has a date that cannot be read. It may be later than required.
        case unreadable
    }

    /// The types of record that the card does not have.
    package let missing: [RequiredRecordType]
    /// The types of record that the card has, but without a date in the interval.
    package let outside: [RequiredRecordType]
    /// The problem with the dates, or nil if there is none.
    package let date: DateProblem?
    /// The first records of the card in words, each with a remark if it may not count.
    private let holdings: String
    /// The limits of the interval in words, if there is one.
    private let interval: String
    /// Whether a record is of nobody on the card, and so was not looked at.
    private let hasUnattributed: Bool
    /// Whether a record does not count because of the time of the check.
    private let hasUncounted: Bool

    /// The number of records that are named.
    private static let named = 3
    /// The number of Unicode scalars of a text from the card that are shown.
    private static let shownLength = 40

    init(
        missing: [RequiredRecordType], outside: [RequiredRecordType], date: DateProblem?, since: FHIRDate?,
        until: FHIRDate?, contents: CardContents
    ) {
        self.missing = missing
        self.outside = outside
        self.date = date
        interval = Self.words(since: since, until: until)
        hasUnattributed = contents.records.contains { !$0.isAttributed }
        let lapsed = contents.records.filter { $0.lapse != nil }
        hasUncounted = contents.records.contains { $0.uncounted != nil || $0.isAbsent }
        // What has ended comes first, since that may be the record that is missed.
        let first = (lapsed + contents.records.filter { $0.lapse == nil }).prefix(Self.named).map {
            Self.words(for: $0)
        }
        let more = contents.records.count - first.count
        holdings =
            first.isEmpty
            ? "no records" : first.joined(separator: ", ") + (more > 0 ? ", and \(more) more" : "")
    }

    /// A record in words, such as `Immunization "COVID-19, mRNA (Moderna)" of 2021-01-29 (not done)`.
    private static func words(for record: Record) -> String {
        var words =
            CodeTable.resourceTypes.contains(record.resourceType)
            ? record.resourceType.description : record.resourceType.quoted(upTo: shownLength)
        if let text = record.concept.text { words += " " + text.quoted(upTo: shownLength) }
        if let date = record.date {
            words +=
                record.fhirDate == nil
                ? ", " + date.quoted(upTo: shownLength) : " of " + date.description.prefix(shownLength)
        }
        if let result = record.result?.text { words += " with result " + result.quoted(upTo: shownLength) }
        return words + (remark(on: record).map { " (\($0))" } ?? "")
    }

    private static func words(since: FHIRDate?, until: FHIRDate?) -> String {
        let shown = { (date: FHIRDate) in date.text.prefix(shownLength) }
        switch (since, until) {
        case (let since?, let until?): return "between \(shown(since)) and \(shown(until))"
        case (let since?, nil): return "of \(shown(since)) or later"
        case (nil, let until?): return "of \(shown(until)) or earlier"
        case (nil, nil): return ""
        }
    }

    private static func remark(on record: Record) -> String? {
        guard record.isAttributed else { return "names no person on the card" }
        if let objection = record.objection { return objection }
        if record.isSubpotent == true { return "subpotent" }
        switch record.status {
        case nil, "completed", "final", "active", "amended", "corrected", "appended": return nil
        case let status?: return "status " + status.quoted(upTo: shownLength)
        }
    }
}

extension RecordMismatch: CustomStringConvertible {
    /// The mismatch in one line of plain words. Text from the card is quoted and shortened. Example:
    ///
    /// `the card has no record of type laboratory; it has Immunization "COVID-19, mRNA (Moderna)" of 2021-01-29`.
    package var description: String {
        lacks(date.map(Self.words), dated: "with a date \(interval)") + "; it has \(holdings)"
    }

    /// The mismatch without any text from the card: only the parts of the query that are not met. Example:
    ///
    /// `the card has no record of type laboratory, and its latest record is earlier than what was asked for`.
    package var impersonalDescription: String {
        lacks(date.map(Self.impersonalWords), dated: "with a date as asked for")
            + (hasUncounted
                ? " (a record that is not in force, is dated ahead, says that there is nothing, or has an extension that may change "
                    + "its meaning does not count)" : "")
    }

    /// - Parameters:
    ///   - dateProblem: the problem with the dates in words.
    ///   - dated: the interval in words that follow "no record".
    private func lacks(_ dateProblem: String?, dated: String) -> String {
        let missing = Self.no(missing)
        let outside = hasTooEarlyDates ? nil : Self.no(outside).map { "\($0) \(dated)" }
        let parts =
            [missing, outside].compactMap(\.self).map { "the card has \($0)" } + [dateProblem].compactMap(\.self)
        let note = hasUnattributed ? " (a record that names no person on the card does not count)" : ""
        return parts.joined(separator: ", and ") + note
    }

    /// Whether all dates are too early, or there is none. Then no type has a record in the interval, and it need not be
    /// said of each.
    private var hasTooEarlyDates: Bool {
        switch date {
        case .noDate?, .tooEarly?: true
        case .tooLate?, .unreadable?, nil: false
        }
    }

    private static func no(_ types: [RequiredRecordType]) -> String? {
        switch types.count {
        case 0: nil
        case 1: "no record of type \(types[0].name)"
        default: "no records of types \(types.map(\.name).joined(separator: ", "))"
        }
    }

    private static func words(for problem: DateProblem) -> String {
        switch problem {
        case .noDate: "none of its records has a date"
        case .unreadable: "a record has a date that cannot be read, so it may be later than what was asked for"
        case .tooEarly(let latest, let since, let isCertain):
            words(for: latest, isCertain ? "is before" : "may be before", since)
        case .tooLate(let latest, let until, let isCertain):
            words(for: latest, isCertain ? "is after" : "may be after", until)
        }
    }

    private static func words(for latest: FHIRDate, _ relation: String, _ bound: FHIRDate) -> String {
        let (latest, bound) = (latest.text.prefix(shownLength), bound.text.prefix(shownLength))
        return "its latest record is of \(latest), which \(relation) \(bound)"
    }

    private static func impersonalWords(for problem: DateProblem) -> String {
        switch problem {
        case .noDate: "none of its records has a date"
        case .unreadable: "a record has a date that cannot be read, so it may be later than what was asked for"
        case .tooEarly(_, _, let isCertain):
            "its latest record \(isCertain ? "is" : "may be") earlier than what was asked for"
        case .tooLate(_, _, let isCertain):
            "its latest record \(isCertain ? "is" : "may be") later than what was asked for"
        }
    }
}
