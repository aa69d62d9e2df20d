import JSON

/// Why a query makes no sense.
public enum RecordQueryError: Error, Sendable, Hashable {
    /// No type of record has this name.
    case unknownRecordType(String)
    /// This is no date.
    case notADate(String)
    /// The first date is after the last.
    case emptyInterval(since: String, until: String)
}

extension RecordQueryError: CustomStringConvertible {
    /// The error in plain words; text of the query is quoted and cut.
    public var description: String {
        switch self {
        case .unknownRecordType(let text):
            "\(text.quoted(upTo: 60)) is no type of record: "
                + (RequiredRecordType.nearest(to: text).map { "did you mean \($0)?" }
                    ?? "there are immunization, laboratory, covid19, recovery, and FHIR's resource types by exact name")
        case .notADate(let text):
            "\(text.quoted(upTo: 60)) is no date: write 2021, 2021-06, 2021-06-30 or 2021-06-30T12:00:00Z"
        case .emptyInterval(let since, let until): "no date is both since \(since) and until \(until)"
        }
    }
}
