public import JSON

/// Why a file cannot be used as a list of codes.
public enum CodeListError: Error, Sendable, Equatable {
    /// It has more bytes than this.
    case tooLarge(limit: Int)
    /// It is not JSON, or nested too deep.
    case notJSON(JSONError)
    /// It is some other resource, or none.
    case notAList(resourceType: UTF8Text?)
    /// A CodeSystem does not say which one it is.
    case noSystem
    /// It lists no code.
    case noCodes
    /// It lists more codes than this.
    case tooManyCodes(limit: Int)
    /// A code's name has more bytes than this.
    case nameTooLong(code: UTF8Text, limit: Int)
}

extension CodeListError: CustomStringConvertible {
    /// The error in plain words; text of the file is quoted and cut.
    public var description: String {
        switch self {
        case .tooLarge(let limit): "it is larger than \(limit >> 20) MiB"
        case .notJSON(let error): "it is not acceptable JSON: \(error)"
        case .notAList(let resourceType?):
            "it is a \(resourceType.quoted(upTo: 40)), not a ValueSet or a CodeSystem"
        case .notAList(nil): "it is not a FHIR ValueSet or CodeSystem"
        case .noSystem: "the CodeSystem has no url, so that nothing says what its codes are codes of"
        case .noCodes: "it lists no codes one by one; a ValueSet that takes whole code systems has to be expanded first"
        case .tooManyCodes(let limit): "it lists more than \(limit) codes"
        case .nameTooLong(let code, let limit):
            "the name of the code \(code.quoted(upTo: 40)) is longer than \(limit) bytes"
        }
    }
}
