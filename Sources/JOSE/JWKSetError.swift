public import JSON

/// Why JSON is not a JWK set (RFC 7517 §5).
public enum JWKSetError: Error, Equatable, Sendable {
    /// The text is not acceptable JSON.
    case malformedJSON(JSONError)
    /// The text is JSON, but no object.
    case notAnObject
    /// The object has no member `keys`.
    case noKeys(looksLikeSingleKey: Bool)
    /// `keys` is not an array.
    case keysNotAnArray
}

extension JWKSetError: CustomStringConvertible {
    /// The error in plain words.
    public var description: String {
        switch self {
        case .malformedJSON(let error): "the key set is not acceptable JSON: \(error)"
        case .notAnObject: #"a key set is a JSON object with a member "keys", this is no object"#
        case .noKeys(true): #"a key set is a JSON object with a member "keys", this is a single key"#
        case .noKeys(false): #"a key set is a JSON object with a member "keys", which is missing"#
        case .keysNotAnArray: #"the key set's "keys" is not an array"#
        }
    }
}
