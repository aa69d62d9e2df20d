import JSON

/// Whether a card meets a query.
public enum RecordAnswer: Sendable, Hashable {
    /// It does. Of the assumed codes, no list in use has any; the card's `vc.type` says that they are of the required type.
    case match(assumed: [UnknownCode])
    /// It does not.
    case mismatch(RecordMismatch)
    /// It is not known, because no list in use has the codes of a record.
    case unknown(UnknownRecordType)
}

/// Whether a query selects a record.
public enum RecordSelection: Sendable, Hashable {
    case selected, leftOut
    /// It is not known, because no list in use has the codes of the record.
    case unknown
}

/// A code that is in no list in use.
public struct UnknownCode: Sendable, Hashable {
    /// The code, as the card spells it.
    public let code: Code
    /// The place of the code in the payload, as a path of member names.
    public let path: String
}

/// Why it is not known whether a card has a record of a type.
public struct UnknownRecordType: Sendable, Hashable {
    /// The required type.
    public let type: RequiredRecordType
    /// The first code of the first such record.
    public let unknown: UnknownCode
    /// The date of the newest list in use that has codes of the code's system (`YYYY-MM-DD`); nil if there is no such list.
    public let newestList: String?

    init(_ type: RequiredRecordType, _ unknown: UnknownCode, newestList: String?) {
        self.type = type
        self.unknown = unknown
        self.newestList = newestList
    }
}

extension UnknownRecordType: CustomStringConvertible {
    /// Why, in plain words. Text from the card is quoted and shortened. Example:
    ///
    /// `it cannot be told whether a record is of type covid19: its code 314 of http://hl7.org/fhir/sid/cvx is in no list that is
    /// known here, and the newest list of that system is of 2025-09-03`.
    public var description: String {
        let code = unknown.code.code.quoted(upTo: 40)
        guard let system = unknown.code.system else {
            return "\(lead): its code \(code) names no code system, so no list has it"
        }
        return "\(lead): its code \(code) of \(system.quoted(upTo: 80)) is in no list that is known here, and \(age)"
    }

    /// The same without the code.
    public var impersonalDescription: String { "\(lead): its code is in no list that is known here, and \(age)" }

    private var lead: String { "it cannot be told whether a record is of type \(type.name)" }

    private var age: String {
        newestList.map { "the newest list of that code system is of \($0)" } ?? "there is no list of that code system"
    }
}
