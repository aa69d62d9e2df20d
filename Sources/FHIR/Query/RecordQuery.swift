/// What a card is asked for, beyond being genuine: types of records, and when the last of them was.
public struct RecordQuery: Sendable, Hashable {
    /// The types of record that the card must have, each once. Each has to be that of at least one record, not all of
    /// the same record: immunization and covid19 are met by a vaccination against influenza and a test for COVID-19.
    public let types: [RequiredRecordType]
    /// The first time that the relevant date may be of.
    public let since: FHIRDate?
    /// The last time that the relevant date may be of.
    public let until: FHIRDate?

    /// - Parameters:
    ///   - types: the types of record that the card must have.
    ///   - since: the interval that this names, or anything after it.
    ///   - until: the interval that this names, or anything before it.
    /// - Throws: `RecordQueryError.emptyInterval` if no date can be in both.
    public init(
        types: [RequiredRecordType] = [], since: FHIRDate? = nil, until: FHIRDate? = nil
    ) throws(RecordQueryError) {
        if let since, let until, until.end <= since.start {
            throw .emptyInterval(since: since.text, until: until.text)
        }
        self.types = types.reduce(into: []) { types, type in
            if !types.contains(type) { types.append(type) }
        }
        self.since = since
        self.until = until
    }

    /// Reads a query from the command line's words.
    ///
    /// - Throws: `RecordQueryError`: an unknown type of record, what is no date, an interval that is empty.
    public init(recordTypes: [String], since: String? = nil, until: String? = nil) throws(RecordQueryError) {
        var types: [RequiredRecordType] = []
        for text in recordTypes { types.append(try RequiredRecordType(text)) }
        try self.init(types: types, since: Self.date(since), until: Self.date(until))
    }

    private static func date(_ text: String?) throws(RecordQueryError) -> FHIRDate? {
        guard let text else { return nil }
        guard let date = FHIRDate(text) else { throw .notADate(text) }
        return date
    }

    /// Whether nothing is asked for.
    public var isEmpty: Bool { types.isEmpty && since == nil && until == nil }

    /// What a card lacks; nil if it has all that is asked for.
    ///
    /// The dates are about the card's relevant date, the latest of its records' dates. Nothing is taken to be so on a
    /// guess: a date of 2021 may mean any day of that year, and is not since 2021-06-01, though it is since 2021. So
    /// `since` wants a record, one that counts, all of whose interval is then or later, and `until` that no record's
    /// interval ends later, and that every date can be read; both want a record that counts and has a date. Where either of two dates has no zone they
    /// are compared as calendars and clocks showed them.
    ///
    /// - Parameters:
    ///   - contents: what the card records.
    ///   - names: what the codes mean; those that the contents were read with.
    public func mismatch(with contents: CardContents, names: CodeNames = .builtIn) -> RecordMismatch? {
        let missing = types.filter { !$0.isMet(by: contents, names: names) }
        let date = dateProblem(of: contents)
        guard !missing.isEmpty || date != nil else { return nil }
        return RecordMismatch(missing: missing, date: date, contents: contents)
    }

    /// Whether a record is among those that are asked for: it counts as one of the types, if there are any, and all of the
    /// interval that its date names is between the dates, if there are any.
    ///
    /// A record without a date is in no interval. What was not done counts as no type.
    public func selects(_ record: Record, names: CodeNames = .builtIn) -> Bool {
        guard types.isEmpty || types.contains(where: { $0.isMet(by: record, names: names) }) else { return false }
        guard since != nil || until != nil else { return true }
        guard let date = record.fhirDate else { return false }
        if let since, !date.isNoEarlier(than: since) { return false }
        if let until, !date.isNoLater(than: until) { return false }
        return true
    }

    private func dateProblem(of contents: CardContents) -> RecordMismatch.DateProblem? {
        guard since != nil || until != nil else { return nil }
        let dates = contents.records.lazy.filter { $0.objection == nil }.compactMap(\.fhirDate)
        guard let latest = dates.max(by: { $0.isEarlier(than: $1) }) else { return .noDate }
        if let since, !dates.contains(where: { $0.isNoEarlier(than: since) }) {
            return .tooEarly(latest, since: since, isCertain: latest.isBefore(since))
        }
        let isLate = { (date: FHIRDate) in until.map { !date.isNoLater(than: $0) } ?? false }
        let late = contents.records.lazy.compactMap(\.fhirDate).filter(isLate)
        if let until, let latest = late.max(by: { $0.isEarlier(than: $1) }) {
            return .tooLate(latest, until: until, isCertain: until.isBefore(latest))
        }
        if until != nil, contents.records.contains(where: \.hasUnreadableDate) { return .unreadable }
        return nil
    }
}
