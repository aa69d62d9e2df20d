import Encodings

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
