public import Encodings

/// The records that a card must have, besides being genuine: their types, and the date of the latest one.
///
/// Only records of persons on the card are looked at (`Record.isAttributed`).
public struct RecordQuery: Sendable, Hashable {
    /// The types of record that the card must have, without duplicates. Different records may meet them: a vaccination
    /// against influenza and a test for COVID-19 together meet immunization and covid19. With `since` or `until`, each
    /// type needs a record with a date in the interval.
    public let types: [RequiredRecordType]
    /// The relevant date must not be earlier than this.
    public let since: FHIRDate?
    /// The relevant date must not be later than this.
    public let until: FHIRDate?

    /// - Parameters:
    ///   - types: the types of record that the card must have.
    ///   - since: the date must be in this interval or after it.
    ///   - until: the date must be in this interval or before it.
    /// - Throws: `Malformed` if no date can meet both.
    public init(types: [RequiredRecordType] = [], since: FHIRDate? = nil, until: FHIRDate? = nil) throws(Malformed) {
        if let since, let until, until.end <= since.start {
            throw Malformed("no date is both since \(since.text) and until \(until.text)")
        }
        self.types = types.reduce(into: []) { types, type in
            if !types.contains(type) { types.append(type) }
        }
        self.since = since
        self.until = until
    }

    /// Reads a query from the values of command-line options.
    ///
    /// - Throws: `Malformed` for an unknown type of record, a text that is not a date, or an empty interval.
    public init(recordTypes: [String], since: String? = nil, until: String? = nil) throws(Malformed) {
        let types = try recordTypes.map { text throws(Malformed) in try RequiredRecordType(text) }
        try self.init(types: types, since: Self.date(since), until: Self.date(until))
    }

    private static func date(_ text: String?) throws(Malformed) -> FHIRDate? {
        guard let text else { return nil }
        guard let date = FHIRDate(text) else {
            throw Malformed(
                "\(text.quoted(upTo: 60)) is not a date: write 2021, 2021-06, 2021-06-30 or 2021-06-30T12:00:00Z")
        }
        return date
    }

    /// Whether the query requires nothing, so that every card meets it.
    public var isEmpty: Bool { types.isEmpty && since == nil && until == nil }

    /// Checks a card against the query.
    ///
    /// Dates are not guessed. 2021 may mean any day of that year, so it meets `since` 2021, but not `since` 2021-06-01.
    /// `since` requires a record that counts and whose whole interval is in the given interval or after it. `until`
    /// requires that no record's interval ends later, and that all dates can be read. Both require a record that counts
    /// and has a date. If one of two dates has no zone, their local dates and times are compared.
    ///
    /// If types are required too, each needs a record that is of this type and whose own date is in the interval.
    ///
    /// Lists of codes age. If no list tells what any code of a record is about, it is not known whether the record is about COVID-19,
    /// or another disease. If the card needs that record to meet the query, the card's `vc.type` decides, unless another record of
    /// the card is about COVID-19, whatever its date, and explains the type. If nothing decides, the answer is unknown.
    ///
    /// - Parameters:
    ///   - contents: the records of the card.
    ///   - signedTypes: the card's `vc.type`, verified.
    ///   - names: the names with which the contents were read.
    package func answer(
        about contents: CardContents, signedTypes: [UTF8Text] = [], names: CodeNames = .builtIn
    ) -> RecordAnswer {
        let answers = types.map { answer(about: $0, in: contents, names: names) }
        let missing = zip(types, answers).filter { $1 == .missing }.map(\.0)
        let outside = zip(types, answers).filter { $1 == .outside }.map(\.0)
        let date = dateProblem(of: contents)
        guard missing.isEmpty, outside.isEmpty, date == nil else {
            return .mismatch(
                RecordMismatch(
                    missing: missing, outside: outside, date: date, since: since, until: until, contents: contents))
        }
        var assumed: [UnknownCode] = []
        for (type, answer) in zip(types, answers) {
            guard case .unknown(let code) = answer else { continue }
            guard !code.isListed, isAssumed(type, in: contents, signedTypes, names) else {
                return .unknown(UnknownRecordType(type, code, names: names))
            }
            assumed.append(code)
        }
        return .match(assumed: assumed)
    }

    /// Which records of a card meet the query. Each must be of one of the types, if there are any, and the whole interval of its
    /// date must be between the dates, if there are any.
    ///
    /// A record without a date is never between dates. A record that does not count (`Record.objection`) is of no type.
    /// Only an empty query selects a record of nobody on the card (`Record.isAttributed`).
    ///
    /// - Parameters:
    ///   - contents: the records of the card.
    ///   - signedTypes: the card's `vc.type`, verified. It decides about records that are not known, as in
    ///     `answer(about:signedTypes:names:)`.
    ///   - names: the names with which the contents were read.
    /// - Returns: an answer for each record, in their order.
    package func selections(
        in contents: CardContents, signedTypes: [UTF8Text] = [], names: CodeNames = .builtIn
    ) -> [RecordSelection] {
        let assumed = types.filter { isAssumed($0, in: contents, signedTypes, names) }
        return contents.records.map { selection(of: $0, assuming: assumed, names) }
    }

    private func selection(of record: Record, assuming assumed: [RequiredRecordType], _ names: CodeNames)
        -> RecordSelection
    {
        guard record.isAttributed || isEmpty, !hasInterval || isInInterval(record) else { return .leftOut }
        guard !types.isEmpty else { return .selected }
        var isUnknown = false
        for type in types {
            switch type.answer(about: record, names: names) {
            case .yes: return .selected
            case .unknown(let code) where !code.isListed && assumed.contains(type): return .selected
            case .unknown: isUnknown = true
            case .no: continue
            }
        }
        return isUnknown ? .unknown : .leftOut
    }

    /// Whether the card's `vc.type` says that a record of which it is not known is of a type. It does not if a known record may be
    /// why it names the type. It decides only for a code that is in no list: if a list has the code and does not tell, nobody does.
    private func isAssumed(
        _ type: RequiredRecordType, in contents: CardContents, _ signedTypes: [UTF8Text], _ names: CodeNames
    ) -> Bool {
        guard let signed = type.signedType, signedTypes.contains(signed) else { return false }
        return !contents.records.contains { type.explainsSignedType($0, names: names) }
    }

    /// Whether a card has what one type requires.
    private enum TypeAnswer: Hashable {
        case met, missing
        /// The card has such a record, but none in the interval.
        case outside
        /// The card has no such record in the interval, but one of which that is not known.
        case unknown(UnknownCode)
    }

    private func answer(about type: RequiredRecordType, in contents: CardContents, names: CodeNames) -> TypeAnswer {
        let isMet = type.isMet(bySupportingResourceOf: contents)
        var best: TypeAnswer = !isMet ? .missing : hasInterval ? .outside : .met
        for record in contents.records where best != .met {
            let isInside = !hasInterval || isInInterval(record)
            switch type.answer(about: record, names: names) {
            case .yes where isInside: best = .met
            case .yes: if best == .missing { best = .outside }
            case .unknown(let code) where isInside:
                switch best {
                case .missing, .outside: best = .unknown(code)
                // Of a code that is in no list, the card's type may tell.
                case .unknown(let other) where other.isListed && !code.isListed: best = .unknown(code)
                case .met, .unknown: continue
                }
            case .unknown, .no: continue
            }
        }
        return best
    }

    private var hasInterval: Bool { since != nil || until != nil }

    private func isInInterval(_ record: Record) -> Bool {
        guard let date = record.fhirDate else { return false }
        if let since, !date.isNoEarlier(than: since) { return false }
        if let until, !date.isNoLater(than: until) { return false }
        return true
    }

    private func dateProblem(of contents: CardContents) -> RecordMismatch.DateProblem? {
        guard hasInterval else { return nil }
        let records = contents.records.filter(\.isAttributed)
        // Whether a record is in force matters to those who ask for its type.
        let dates = records.lazy.filter { $0.lastingObjection == nil && !$0.isDatedAhead }.compactMap(\.fhirDate)
        guard let latest = dates.max(by: { $0.isEarlier(than: $1) }) else { return .noDate }
        if let since, !dates.contains(where: { $0.isNoEarlier(than: since) }) {
            return .tooEarly(latest, since: since, isCertain: latest.isBefore(since))
        }
        let isLate = { (date: FHIRDate) in until.map { !date.isNoLater(than: $0) } ?? false }
        let late = records.lazy.compactMap(\.fhirDate).filter(isLate)
        if let until, let latest = late.max(by: { $0.isEarlier(than: $1) }) {
            return .tooLate(latest, until: until, isCertain: until.isBefore(latest))
        }
        if until != nil, records.contains(where: \.hasUnreadableDate) { return .unreadable }
        return nil
    }
}

/// Whether a card meets a query.
package enum RecordAnswer: Sendable, Hashable {
    /// It does. Of the assumed codes, no list in use has any; the card's `vc.type` says that they are of the required type.
    case match(assumed: [UnknownCode])
    /// It does not.
    case mismatch(RecordMismatch)
    /// It is not known, because no list in use has the codes of a record.
    case unknown(UnknownRecordType)
}

/// Whether a query selects a record.
package enum RecordSelection: Sendable, Hashable {
    case selected, leftOut
    /// It is not known, because no list in use tells what the codes of the record are about.
    case unknown
}

/// A code of which no list in use tells what it is about.
package struct UnknownCode: Sendable, Hashable {
    /// The code, as the card spells it.
    package let code: Code
    /// The place of the code in the payload, as a path of member names.
    package let path: String
    /// Whether a list in use has the code, but does not tell what it is about.
    package let isListed: Bool
}

/// Why it is not known whether a card has a record of a type.
package struct UnknownRecordType: Sendable, Hashable {
    /// The required type.
    package let type: RequiredRecordType
    /// The first code of the first such record.
    package let unknown: UnknownCode
    /// The date of the newest list in use that has codes of the code's system (`YYYY-MM-DD`); nil if there is no such list.
    package let newestList: String?
    /// Whether a list in use has codes of the code's system.
    private let hasList: Bool

    init(_ type: RequiredRecordType, _ unknown: UnknownCode, names: CodeNames) {
        self.type = type
        self.unknown = unknown
        let system = unknown.code.canonical.system
        newestList = system.flatMap(names.newestDate)
        hasList = system.map(names.hasList) ?? false
    }

    /// What helps to know the code.
    package var help: Help {
        switch unknown.code.canonical.system {
        case nil: .none
        case Code.cvx?, Code.mvx?: .newerLists
        default: .ownList
        }
    }

    /// What helps to know a code.
    package enum Help: Sendable, Hashable {
        /// The newest lists of CDC.
        case newerLists
        /// A list of the code's system, which the user has to find.
        case ownList
        /// No list, because the code names no system.
        case none
    }
}

extension UnknownRecordType: CustomStringConvertible {
    /// Why, in plain words. It names the code and its system, quoted and shortened, which name no person: the
    /// person who updates the lists has to know them. Example:
    ///
    /// `it cannot be told whether a record is of type covid19: its code 314 of http://hl7.org/fhir/sid/cvx is in no list that is
    /// known here, and the newest list of that system is of 2025-09-03`.
    package var description: String {
        let code = unknown.code.code.quoted(upTo: 40)
        guard let system = unknown.code.system else {
            return "\(lead): its code \(code) names no code system, so no list has it"
        }
        return "\(lead): its code \(code) of \(system.quoted(upTo: 80)) \(unknown.problem), and \(age)"
    }

    private var lead: String { "it cannot be told whether a record is of type \(type.name)" }

    private var age: String {
        if let newestList { return "the newest list of that code system is of \(newestList)" }
        return hasList ? "the lists of that code system have no date" : "there is no list of that code system"
    }
}

extension UnknownCode {
    /// Why it is not known what the code is about, after "the code".
    package var problem: String {
        isListed
            ? "is in a list that does not tell what it is about, and in no other that is known here"
            : "is in no list that is known here"
    }
}
