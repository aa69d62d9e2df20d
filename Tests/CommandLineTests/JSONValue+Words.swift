import JSON

extension JSONValue {
    /// The characters of a string, for tests to compare with their own; nil for any other kind.
    var words: String? { string?.description }
}
